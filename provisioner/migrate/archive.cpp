#include "provisioner/migrate/archive.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "provisioner/migrate/files.hpp"
#include "provisioner/transcript/packing.hpp"

namespace provisioner::migrate {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t block = 512;
constexpr std::size_t name_size = 100;
constexpr std::size_t prefix_size = 155;

/// Offsets of the fields of a ustar header.
namespace field {
constexpr std::size_t name = 0;
constexpr std::size_t mode = 100;
constexpr std::size_t owner = 108;
constexpr std::size_t group = 116;
constexpr std::size_t size = 124;
constexpr std::size_t time = 136;
constexpr std::size_t checksum = 148;
constexpr std::size_t type = 156;
constexpr std::size_t magic = 257;
constexpr std::size_t prefix = 345;
}  // namespace field

void put(std::string& header, std::size_t at, std::string_view text) {
    header.replace(at, text.size(), text);
}

std::string octal(std::size_t number, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i > 0; --i, number /= 8) {
        text[i - 1] = static_cast<char>('0' + number % 8);
    }
    return text;
}

void put_path(std::string& header, const std::string& path) {
    if (path.size() <= name_size) return put(header, field::name, path);
    // The first slash whose rest fits the name also leaves the shortest prefix.
    const auto slash = path.find('/', path.size() - name_size - 1);
    if (slash == std::string::npos || slash > prefix_size || slash + 1 == path.size()) {
        throw std::runtime_error(path + " is too long a path for an archive");
    }
    put(header, field::prefix, path.substr(0, slash));
    put(header, field::name, path.substr(slash + 1));
}

std::string header_of(const ArchiveEntry& entry) {
    std::string header(block, '\0');
    put_path(header, entry.is_directory ? entry.path + "/" : entry.path);
    put(header, field::mode, entry.is_directory || entry.is_executable ? "0000755" : "0000644");
    put(header, field::owner, octal(0, 7));
    put(header, field::group, octal(0, 7));
    put(header, field::size, octal(entry.content.size(), 11));
    put(header, field::time, octal(0, 11));
    put(header, field::type, entry.is_directory ? "5" : "0");
    put(header, field::magic, std::string_view("ustar\00000", 8));
    // The sum is defined with blanks in the place of the checksum itself.
    put(header, field::checksum, std::string(8, ' '));
    const auto sum = std::accumulate(
        header.begin(), header.end(), std::size_t{0},
        [](std::size_t so_far, char c) { return so_far + static_cast<unsigned char>(c); });
    put(header, field::checksum, octal(sum, 6) + std::string("\0 ", 2));
    return header;
}

ArchiveEntry entry_of(const fs::path& path, const std::string& name) {
    const fs::file_status status = fs::symlink_status(path);
    if (fs::is_directory(status)) return {.path = name, .is_directory = true};
    if (!fs::is_regular_file(status)) {
        throw std::runtime_error(path.string() + " is neither a file nor a directory");
    }
    const bool runs = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    return {.path = name, .is_executable = runs, .content = read_file(path)};
}

}  // namespace

std::string tar_of(const std::vector<ArchiveEntry>& entries) {
    std::string tar;
    for (const ArchiveEntry& entry : entries) {
        tar += header_of(entry);
        tar += entry.content;
        tar.resize((tar.size() + block - 1) / block * block, '\0');
    }
    return tar + std::string(2 * block, '\0');
}

std::string archive_of(const fs::path& folder) {
    const std::string name = folder.filename();
    std::vector<ArchiveEntry> entries{{.path = name, .is_directory = true}};
    for (const auto& found : fs::recursive_directory_iterator(folder)) {
        const fs::path inside = fs::path(name) / found.path().lexically_relative(folder);
        entries.push_back(entry_of(found.path(), inside.generic_string()));
    }
    // File systems list files in an order of their own; the archive must not depend on it.
    std::sort(entries.begin(), entries.end(),
              [](const ArchiveEntry& a, const ArchiveEntry& b) { return a.path < b.path; });
    return transcript::gzipped(tar_of(entries));
}

}  // namespace provisioner::migrate
