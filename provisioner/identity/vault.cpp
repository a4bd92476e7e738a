#include "provisioner/identity/vault.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace provisioner::identity {

namespace {

void refuse_open_file(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0 && (found.st_mode & S_IRWXO) != 0) {
        throw VaultError("everybody may read the keys in " + path + ": chmod o= " + path);
    }
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw VaultError("cannot read " + path + ": " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
}

/// It is on the disk before anything is sealed under it.
void append(const std::string& path, const std::string& line) {
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    const bool written =
        file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
        ::fsync(file) == 0;
    const int error = errno;
    if (file >= 0) ::close(file);
    if (!written) throw VaultError("cannot write " + path + ": " + std::strerror(error));
}

}  // namespace

Vault::Vault(std::filesystem::path key_file) : key_file_(std::move(key_file)) {}

MasterKeys Vault::keys() const {
    if (key_file_.empty()) throw VaultError("secrets.keys is not set: no secret can be kept");
    const std::lock_guard lock(mutex_);
    std::error_code error;
    const auto changed_at = std::filesystem::last_write_time(key_file_, error);
    if (error) throw VaultError("cannot read " + key_file_.string() + ": " + error.message());
    if (keys_.empty() || changed_at != read_at_) {
        refuse_open_file(key_file_);
        keys_ = master_keys_in(text_of(key_file_));
        read_at_ = changed_at;
    }
    return keys_;
}

std::string Vault::seal(const base::Secret& secret, std::string_view place) const {
    return identity::seal(keys(), secret, place);
}

base::Secret Vault::open(std::string_view sealed, std::string_view place) const {
    return identity::open(keys(), sealed, place);
}

std::optional<std::string> Vault::rewrapped(std::string_view sealed) const {
    return identity::rewrapped(keys(), sealed);
}

int Vault::add_key() {
    const bool is_first = !key_file_.empty() && !std::filesystem::exists(key_file_);
    append(key_file_, new_master_key(is_first ? MasterKeys{} : keys()));
    return keys().rbegin()->first;
}

}  // namespace provisioner::identity
