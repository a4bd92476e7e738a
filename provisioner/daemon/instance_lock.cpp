#include "provisioner/daemon/instance_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "provisioner/daemon/timing.hpp"

namespace provisioner::daemon {

InstanceLock::InstanceLock(const std::string& path)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0) throw std::runtime_error("cannot open the lock file " + path);
}

InstanceLock::~InstanceLock() {
    ::close(file_);
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

}  // namespace provisioner::daemon
