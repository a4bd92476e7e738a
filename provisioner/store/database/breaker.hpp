#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace provisioner::store {

/// Circuit breaker. While the server does not answer, one thread at a time may try it and all other
/// threads fail at once instead of waiting. Safe to use from any thread.
class Breaker {
 public:
    using Moment = std::chrono::steady_clock::time_point;

    /// Permission to use the server. Ends with its lifetime; then another thread may try.
    class Turn {
     public:
        explicit Turn(Breaker* tried) : tried_(tried) {}
        ~Turn();
        Turn(Turn&& other) noexcept;
        Turn& operator=(Turn&&) = delete;

        /// Whether the server was silent when this turn was taken.
        bool is_trial() const { return tried_ != nullptr; }

     private:
        Breaker* tried_;
    };

    /// A turn, or nothing while the server is silent and another thread is trying it.
    std::optional<Turn> run_once();

    /// Records an answer of the server, errors included.
    void answered(Moment now);

    /// Records a call without an answer. The server counts as silent if no other call was answered
    /// within the last second: a single connection may have been killed.
    void not_answered(Moment now);

 private:
    std::atomic<Moment> last_answer_{Moment::min()};
    std::atomic<bool> is_silent_ = false;
    std::atomic<bool> is_being_tried_ = false;
};

}  // namespace provisioner::store
