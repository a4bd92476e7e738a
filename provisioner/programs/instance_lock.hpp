#pragma once

#include <chrono>
#include <map>
#include <string>

namespace provisioner::programs {

/// An exclusive flock(2) on a file, held while the object lives. At most one process of a host
/// holds it. For the daemon this proves that every earlier one of this instance is dead;
/// queue::Rescuer relies on that. The kernel frees the lock when the process ends, however that
/// happens; a pid file alone could name a pid that another process has by now.
///
/// The file stays and contains the pid of the process that took the lock last. A child made by fork
/// without exec would share the lock; exec closes the descriptor.
class InstanceLock {
 public:
    /// Opens the file (mode 0600), creating it if missing, and takes no lock yet; after a reload it
    /// finds the file open, with the lock that the program before had. Throws std::runtime_error
    /// when it cannot.
    explicit InstanceLock(const std::string& path);
    ~InstanceLock();
    InstanceLock(const InstanceLock&) = delete;
    InstanceLock& operator=(const InstanceLock&) = delete;

    /// Takes the lock, polling every timing::lock_poll for up to `patience`; false when another
    /// process has it all that time. Blocks. Throws std::runtime_error when the pid cannot be
    /// written.
    [[nodiscard]] bool take(std::chrono::milliseconds patience);

    /// Lets programs that this process executes keep the lock, and returns what the program needs
    /// in its environment to find it after a reload.
    std::map<std::string, std::string> for_successor() const;

    /// For a child made by fork: closes its copy, so that the lock ends with the parent.
    void leave_to_parent();

 private:
    std::string path_;
    /// Descriptor of the file; closing it frees the lock. -1 after leave_to_parent().
    int file_ = -1;
};

}  // namespace provisioner::programs
