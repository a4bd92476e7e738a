#pragma once

#include <chrono>
#include <string>

namespace provisioner::daemon {

/// Wakes the claimer before its next look at the queue: a unix datagram socket that web processes
/// write to (operations::Nudge), and an eventfd for the daemon's other threads.
///
/// A nudge carries no data and may be lost; then the claimer looks after timing::idle_poll. It only
/// shortens the wait. Nudges that arrive while nothing waits are kept for the next wait().
class NudgeSocket {
 public:
    /// Binds `path`, replacing the socket of a dead daemon: the caller holds the instance lock.
    /// Its mode is 0660: the group may write to it, which is that of the folder if the folder is
    /// set-group-ID. cooperage-web runs as another user of that group. Changes the umask of the
    /// process for a moment, so nothing else may make files meanwhile. Throws std::runtime_error
    /// when it cannot, or when the path does not fit a sockaddr_un (107 bytes).
    explicit NudgeSocket(std::string path);
    ~NudgeSocket();
    NudgeSocket(const NudgeSocket&) = delete;
    NudgeSocket& operator=(const NudgeSocket&) = delete;

    /// Blocks until a nudge arrives or `patience` (0: not at all) has passed, and consumes all
    /// nudges that are there. One thread at a time; a signal may end it early.
    void wait(std::chrono::milliseconds patience);

    /// Wakes wait(), or the next call of it. Safe from any thread; never blocks.
    void ring();

 private:
    std::string path_;
    int socket_ = -1;
    /// The eventfd that ring() writes to.
    int bell_ = -1;
};

}  // namespace provisioner::daemon
