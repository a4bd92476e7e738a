#pragma once

#include <chrono>
#include <string>

namespace provisioner::daemon {

/// An exclusive flock(2) on a file, held while the object lives. At most one process of a host
/// holds it, which proves that every earlier daemon of this instance is dead. queue::Rescuer relies
/// on that. The kernel frees the lock when the process ends, however that happens; a pid file alone
/// could name a pid that another process has by now.
///
/// The file stays and contains the pid of the process that took the lock last. A child made by fork
/// without exec would share the lock; exec closes the descriptor.
class InstanceLock {
 public:
    /// Opens the file, creating it if missing, and takes no lock yet. Throws std::runtime_error
    /// when it cannot.
    explicit InstanceLock(const std::string& path);
    ~InstanceLock();
    InstanceLock(const InstanceLock&) = delete;
    InstanceLock& operator=(const InstanceLock&) = delete;

    /// Takes the lock, polling every timing::lock_poll for up to `patience`; false when another
    /// process has it all that time. Blocks. Throws std::runtime_error when the pid cannot be
    /// written.
    [[nodiscard]] bool take(std::chrono::milliseconds patience);

 private:
    /// Descriptor of the file; closing it frees the lock.
    int file_ = -1;
};

}  // namespace provisioner::daemon
