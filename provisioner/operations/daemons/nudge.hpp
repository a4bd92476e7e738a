#pragma once

#include <string>

namespace provisioner::operations {

/// Tells the daemon on this host that there is work, so that it need not wait for its next look at
/// the queue. A datagram to its unix socket: nothing waits for it and nothing depends on it.
class Nudge {
 public:
    /// `path` of the daemon's socket; empty: nobody to tell.
    explicit Nudge(std::string path) : path_(std::move(path)) {}

    /// Never throws; a daemon that is not there finds the work by itself.
    void send() const noexcept;

 private:
    std::string path_;
};

}  // namespace provisioner::operations
