#include "provisioner/migrate/backup/container.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace provisioner::migrate {

namespace {

constexpr std::string_view magic = "cooperage-backup 1\n";
constexpr std::string_view sum_begins = "\nsha256 ";
/// Of the last line: its beginning, the digits and the line end.
constexpr std::uint64_t sum_size = 8 + 64 + 1;
constexpr std::size_t longest_header = 65536;

/// The checksum of the first `size` bytes.
std::string hash_of(std::ifstream& file, std::uint64_t size) {
    identity::Sha256 hash;
    std::array<char, 65536> buffer{};
    for (std::uint64_t rest = size; rest > 0;) {
        file.read(buffer.data(),
                  static_cast<std::streamsize>(std::min<std::uint64_t>(rest, buffer.size())));
        if (file.gcount() <= 0) break;
        hash.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
        rest -= static_cast<std::uint64_t>(file.gcount());
    }
    return hash.finish();
}

}  // namespace

ContainerWriter::ContainerWriter(const std::string& path, const base::Json& header)
    : path_(path), temporary_(path + ".new") {
    if (std::filesystem::exists(path_)) throw std::runtime_error(path_ + " exists already");
    ::unlink(temporary_.c_str());
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file_ < 0) fail();
    add(magic);
    add(header.dump() + "\n");
}

ContainerWriter::~ContainerWriter() {
    if (file_ >= 0) ::close(file_);
    ::unlink(temporary_.c_str());
}

void ContainerWriter::add(std::string_view bytes) {
    hash_.add(bytes);
    write(bytes);
}

void ContainerWriter::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail();
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void ContainerWriter::finish() {
    write(std::string(sum_begins) + hash_.finish() + "\n");
    if (::fsync(file_) != 0) fail();
    // Unlike rename() it never replaces another backup.
    if (::link(temporary_.c_str(), path_.c_str()) != 0) fail();
}

void ContainerWriter::fail() const {
    throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
}

Container read_container(const std::string& path, const std::string& kind) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
    std::string first(magic.size(), '\0');
    file.read(first.data(), static_cast<std::streamsize>(first.size()));
    if (first != magic) throw std::runtime_error(path + " is no backup of cooperage-migrate");
    std::string line(longest_header, '\0');
    file.getline(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(std::strlen(line.c_str()));
    const auto header = file ? base::parse_json(line) : std::nullopt;
    if (!header) throw std::runtime_error(path + " is cut off or has changed");
    Container found{.header = *header, .begins = magic.size() + line.size() + 1};
    const std::uint64_t whole = std::filesystem::file_size(path);
    if (whole < found.begins + sum_size) throw std::runtime_error(path + " is cut off");
    found.size = whole - sum_size - found.begins;
    file.seekg(0);
    const std::string hash = hash_of(file, whole - sum_size);
    std::string end(sum_size, '\0');
    file.read(end.data(), static_cast<std::streamsize>(end.size()));
    if (end != std::string(sum_begins) + hash + "\n") {
        throw std::runtime_error(path + " is cut off or has changed: its checksum is wrong");
    }
    const base::Json* of_kind = base::member(found.header, "kind");
    if (of_kind == nullptr || *of_kind != kind) {
        throw std::runtime_error(path + " is a backup, but not of " + kind);
    }
    return found;
}

}  // namespace provisioner::migrate
