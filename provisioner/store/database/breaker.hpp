#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace provisioner::store {

/// Circuit breaker between the threads of a process and the database server.
///
/// It has two states. While the server answers, every call passes. After a call without an answer
/// the server counts as silent. Then one thread at a time may try it, and all others fail at once.
/// The first answer ends this state. Without the breaker, every thread would wait for the full time
/// limit of a dead server. No thread would be left for requests that need no database.
///
/// It uses atomics and no lock. Any thread may call any function.
class Breaker {
 public:
    /// Of the steady clock: a changed system time neither opens nor closes the breaker.
    using Moment = std::chrono::steady_clock::time_point;

    /// Permission to use the server. Its destructor lets another thread try a silent server. The
    /// Breaker must outlive it.
    class Turn {
     public:
        /// `tried` is the breaker whose trial this turn holds; null while the server answers.
        explicit Turn(Breaker* tried) : tried_(tried) {}
        ~Turn();
        Turn(Turn&& other) noexcept;
        Turn& operator=(Turn&&) = delete;

        /// Whether the server was silent when this turn was taken. At most one such turn exists at
        /// a time.
        bool is_trial() const { return tried_ != nullptr; }

     private:
        Breaker* tried_;
    };

    /// A turn; nothing while the server is silent and another thread is trying it. Never blocks.
    std::optional<Turn> admit();

    /// Records an answer of the server and ends the silence. An error the server reports is an
    /// answer, too.
    void answered(Moment now);

    /// Records a call without an answer. The server counts as silent unless it answered another
    /// call within the last second. In that case probably a single connection was killed.
    void not_answered(Moment now);

    /// Whether the server counts as silent.
    bool is_silent() const { return is_silent_; }

 private:
    /// Moment::min() before the first answer.
    std::atomic<Moment> last_answer_{Moment::min()};
    std::atomic<bool> is_silent_ = false;
    /// True while a Turn with is_trial() exists.
    std::atomic<bool> is_being_tried_ = false;
};

}  // namespace provisioner::store
