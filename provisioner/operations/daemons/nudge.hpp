#pragma once

#include <string>

namespace provisioner::operations {

/// Wakes the daemon on this host when the web side may have queued work. Otherwise an idle daemon
/// looks at the queue once a second. A nudge is a datagram of one byte to the daemon's Unix socket.
/// Nothing waits for it, and nothing depends on it: a lost nudge costs at most that second. Any
/// thread may send.
class Nudge {
 public:
    /// `path` of the daemon's socket; empty: no daemon to wake.
    explicit Nudge(std::string path) : path_(std::move(path)) {}

    /// Sends a nudge without blocking. Ignores every failure: no daemon, a full socket, a path
    /// longer than a Unix address holds. Opens and closes a socket each time.
    void send() const noexcept;

 private:
    std::string path_;
};

}  // namespace provisioner::operations
