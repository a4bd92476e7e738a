#include "provisioner/programs/instance_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "provisioner/programs/inherited.hpp"
#include "provisioner/programs/timing.hpp"

namespace provisioner::programs {

namespace {

constexpr auto lock_variable = "COOPERAGE_LOCK";

/// The descriptor that was left for this file; -1 for none.
int inherited_lock(const std::string& path) {
    const Inherited left = take_inherited(lock_variable);
    if (left.descriptor < 0) return -1;
    struct stat open {};
    struct stat named {};
    const bool is_it = ::fstat(left.descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
                       open.st_ino == named.st_ino && open.st_dev == named.st_dev;
    if (is_it && left.path == path) return left.descriptor;
    ::close(left.descriptor);
    return -1;
}

}  // namespace

InstanceLock::InstanceLock(const std::string& path) : path_(path), file_(inherited_lock(path)) {
    if (file_ >= 0) return;
    // Nobody else may open the file, because whoever may read it could also lock it and so keep
    // every other process from working. A file of an earlier version may be open to all.
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0) {
        throw std::runtime_error("cannot open the lock file " + path + ": " + std::strerror(errno));
    }
    ::fchmod(file_, 0600);
}

InstanceLock::~InstanceLock() {
    leave_to_parent();
}

std::map<std::string, std::string> InstanceLock::for_successor() const {
    ::fcntl(file_, F_SETFD, 0);
    return to_inherit(lock_variable, {.descriptor = file_, .path = path_});
}

void InstanceLock::leave_to_parent() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

// After true: this process holds the lock until the object or the process ends, and the file names
// its pid. Polling, because flock() can wait only without a time limit. Two at once: the kernel
// gives the lock to one; the pid is written under it, so the file names the holder or, for a
// moment, the one before.
bool InstanceLock::take(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        if (std::chrono::steady_clock::now() >= until) return false;
        std::this_thread::sleep_for(timing::lock_poll);
    }
    const std::string pid = std::to_string(::getpid()) + "\n";
    const bool written = ::ftruncate(file_, 0) == 0 && ::pwrite(file_, pid.data(), pid.size(), 0) ==
                                                           static_cast<ssize_t>(pid.size());
    if (!written) throw std::runtime_error("cannot write the lock file");
    return true;
}

}  // namespace provisioner::programs
