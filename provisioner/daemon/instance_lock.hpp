#pragma once

#include <chrono>
#include <string>

namespace provisioner::daemon {

/// An exclusive flock on a file for as long as the object lives; the kernel frees it when the
/// process dies, however that happens. The file itself stays. It also tells the pid of whoever has
/// it.
class InstanceLock {
 public:
    /// Opens the file, made if missing; throws std::runtime_error when it cannot.
    explicit InstanceLock(const std::string& path);
    ~InstanceLock();
    InstanceLock(const InstanceLock&) = delete;
    InstanceLock& operator=(const InstanceLock&) = delete;

    /// Takes the lock, waiting up to `patience` for it; false if somebody else has it all that
    /// time.
    [[nodiscard]] bool take(std::chrono::milliseconds patience);

 private:
    int file_ = -1;
};

}  // namespace provisioner::daemon
