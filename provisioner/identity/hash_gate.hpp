#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace provisioner::identity {

/// A password was not hashed because too many others are. The same call may succeed in a second.
class TooManyHashes : public std::runtime_error {
 public:
    TooManyHashes() : std::runtime_error("too many passwords are being checked at this moment") {}
};

/// Limits how many slow hashes run at once, because each takes 19 MiB and a processor for tens of
/// milliseconds. Others wait for their turn, but not for long and not many of them. Safe from any
/// thread.
class HashGate {
 public:
    struct Limits {
        /// Hashes that run at the same time, at least 1.
        int at_once = 4;
        /// Callers that wait for a turn; one more is refused at once.
        int waiting = 64;
        /// Longest wait.
        std::chrono::milliseconds patience{5000};
    };

    HashGate() = default;
    explicit HashGate(const Limits& limits) : limits_(limits) {}

    /// Applies from the next turn on.
    void set(const Limits& limits);

    /// The right to hash once; ends with the object. The gate must outlive it.
    class Turn {
     public:
        /// Waits for a turn. Throws TooManyHashes.
        explicit Turn(HashGate& gate) : gate_(gate) { gate_.enter(); }
        ~Turn() { gate_.leave(); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

     private:
        HashGate& gate_;
    };

 private:
    void enter();
    void leave();

    std::mutex mutex_;
    std::condition_variable freed_;
    Limits limits_;
    int running_ = 0;
    int waiting_ = 0;
};

/// The gate of this process, which hash_password() and password_matches() pass.
HashGate& hash_gate();

}  // namespace provisioner::identity
