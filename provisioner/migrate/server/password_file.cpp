#include "provisioner/migrate/server/password_file.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/migrate/files.hpp"

namespace provisioner::migrate {

namespace {

[[noreturn]] void fail(const std::string& path) {
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

void make(const std::string& path, const std::string& group) {
    // Under its name at once and whole or not at all: an interruption must not leave an empty one.
    const std::string temporary = path + ".new";
    ::unlink(temporary.c_str());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) fail(temporary);
    const std::string text = identity::new_token().reveal() + "\n";
    bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the program has one thread here.
    if (const struct group* found = group.empty() ? nullptr : ::getgrnam(group.c_str())) {
        is_written = is_written && ::fchown(file, static_cast<uid_t>(-1), found->gr_gid) == 0;
    }
    is_written = is_written && ::fchmod(file, group.empty() ? 0600 : 0640) == 0;
    is_written = ::fsync(file) == 0 && is_written;
    ::close(file);
    // link() and not rename(): of two at once the first one's password counts.
    const bool is_linked =
        is_written && (::link(temporary.c_str(), path.c_str()) == 0 || errno == EEXIST);
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    if (!is_linked) fail(path);
}

}  // namespace

std::string next_password_file(const std::string& path, const std::string& account) {
    constexpr std::size_t digits = 16;
    return path + ".next-" + identity::checksum(account).substr(0, digits);
}

std::string next_password(const std::string& path, const std::string& account) {
    const std::string next = next_password_file(path, account);
    struct stat old {};
    if (::stat(path.c_str(), &old) != 0) {
        throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
    }
    std::string text = password_in(next, "");
    if (::chown(next.c_str(), old.st_uid, old.st_gid) != 0 ||
        ::chmod(next.c_str(), old.st_mode & 07777) != 0) {
        fail(next);
    }
    return text;
}

void take_next_password(const std::string& path, const std::string& account) {
    if (::rename(next_password_file(path, account).c_str(), path.c_str()) != 0) fail(path);
    sync_folder_of(path);
}

std::string password_in(const std::string& path, const std::string& group) {
    if (::access(path.c_str(), F_OK) != 0) make(path, group);
    std::string text = read_file(path);
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    if (text.empty()) throw std::runtime_error(path + " is empty; it should have a password");
    return text;
}

}  // namespace provisioner::migrate
