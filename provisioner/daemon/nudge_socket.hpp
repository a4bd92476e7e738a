#pragma once

#include <chrono>
#include <string>

namespace provisioner::daemon {

/// Where the daemon hears that there is work: a unix datagram socket that web processes write to,
/// and a bell of its own for the daemon's other threads.
class NudgeSocket {
 public:
    /// Binds `path`, replacing a socket a dead daemon left there; throws std::runtime_error when it
    /// cannot.
    explicit NudgeSocket(std::string path);
    ~NudgeSocket();
    NudgeSocket(const NudgeSocket&) = delete;
    NudgeSocket& operator=(const NudgeSocket&) = delete;

    /// Waits for a nudge or until `patience` has passed, and takes all nudges that are there.
    void wait(std::chrono::milliseconds patience);

    /// A nudge from within. Safe from any thread.
    void ring();

 private:
    std::string path_;
    int socket_ = -1;
    int bell_ = -1;
};

}  // namespace provisioner::daemon
