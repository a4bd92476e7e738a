#include "provisioner/providers/local/host/state_dir.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "provisioner/providers/local/host/network/addresses.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

/// Whether the locked file is the one at the path. Its last holder may have removed it while we
/// waited; then others lock a new file, and this lock protects nothing.
bool is_still_at(const fs::path& path, const Fd& file) {
    struct stat opened {};
    struct stat named {};
    if (fstat(file.get(), &opened) != 0 || stat(path.c_str(), &named) != 0) return false;
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/// Without O_CLOEXEC: the tools we run inherit the lock. If this program is killed, the lock holds
/// until the last of them has ended.
Fd opened(const fs::path& path) {
    Fd file(open(path.c_str(), O_RDWR | O_CREAT, 0600));
    if (file.get() < 0) fail("cannot open the lock " + path.string());
    return file;
}

}  // namespace

FileLock::FileLock(const fs::path& path, LockKind kind) : path_(path) {
    do {
        file_ = opened(path);
        while (flock(file_.get(), kind == LockKind::shared ? LOCK_SH : LOCK_EX) != 0) {
            if (errno != EINTR) fail("cannot lock " + path.string());
        }
    } while (!is_still_at(path, file_));
}

std::optional<FileLock> FileLock::try_exclusive(const fs::path& path) {
    Fd file = opened(path);
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 || !is_still_at(path, file)) return std::nullopt;
    return FileLock(path, std::move(file));
}

void FileLock::remove() {
    unlink(path_.c_str());
}

fs::path mountable(const fs::path& path) {
    const fs::path whole = fs::weakly_canonical(fs::absolute(path));
    if (whole.string().find_first_of(",:\\ \t\n") == std::string::npos) return whole;
    throw Refusal("usage", "the path " + whole.string() +
                               " holds a comma, colon, backslash or blank: choose another one");
}

StateDir::StateDir(const fs::path& path) : path_(mountable(path)) {}

void StateDir::prepare() const {
    for (const char* folder : {"machines", "addresses", "hosts", "locks"}) {
        fs::create_directories(path_ / folder);
    }
}

std::vector<std::string> StateDir::names() const {
    std::vector<std::string> names;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(machines(), missing)) {
        names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<Record> StateDir::load(const std::string& name) const {
    const auto text = read_file(machine(name) / "machine.json");
    return text ? record_of(*text) : std::nullopt;
}

void StateDir::save(const Record& record) const {
    replace_file(machine(record.name) / "machine.json", text_of(record), 0600);
}

void StateDir::claim_directory(const std::string& name, long most) const {
    // Counting and creating are one turn: two starts must not both take the last place.
    const FileLock counting(lock_of("count"), LockKind::exclusive);
    const auto there = static_cast<long>(names().size());
    if (there >= most) {
        throw Refusal("limit",
                      std::to_string(there) + " of at most " + std::to_string(most) +
                          " local hosts exist under " + path_.string() +
                          ": delete some, or raise the limit (the provider's max_hosts and the "
                          "daemon's own limit; --max of cooperage-local-host)");
    }
    if (mkdir(machine(name).c_str(), 0700) != 0) fail("cannot make " + machine(name).string());
}

std::string StateDir::claim_address(const std::string& name, int network) const {
    for (int attempt = 0; attempt < hosts_per_network; ++attempt) {
        const std::string address = address_of({network, candidate(name, attempt)});
        // symlink() is atomic and fails if the link exists, so no lock is needed.
        if (symlink(name.c_str(), (path_ / "addresses" / address).c_str()) == 0) return address;
        if (errno != EEXIST) fail("cannot claim the address " + address);
    }
    throw Failure("all " + std::to_string(hosts_per_network) + " addresses of the network " +
                  address_of({network, 0}) + " are taken");
}

void StateDir::release_addresses(const std::string& name) const {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path_ / "addresses", error)) {
        if (fs::read_symlink(entry.path(), error) == name) fs::remove(entry.path(), error);
    }
}

void StateDir::remove_if_unused() const {
    std::error_code error;
    if (!names().empty()) return;
    // Hosts of earlier versions saw their cluster's folder below "clusters".
    for (const char* folder : {"machines", "addresses", "hosts", "locks", "clusters"}) {
        fs::remove_all(path_ / folder, error);
    }
    for (const fs::path& file : {cluster_networks(), lock()}) fs::remove(file, error);
    remove_if_empty(path_);
}

}  // namespace provisioner::providers::local
