#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace provisioner::daemon {

/// How late an event loop comes to what it is asked: a handler that computes for long keeps all
/// tasks of its loop waiting. One thread asks and reads; the loop answers.
class LoopLag {
 public:
    using Clock = std::chrono::steady_clock;

    /// Puts a question in the loop's queue, unless one is there already. The loop must not run any
    /// more when this object ends.
    void ask(boost::asio::io_context& loop) {
        if (is_asked_.exchange(true)) return;
        asked_ = Clock::now();
        boost::asio::post(loop, [this] {
            last_ = Clock::now() - asked_.load();
            is_asked_ = false;
        });
    }

    /// The time of the last answer, or how long the question has waited if that is longer.
    std::chrono::nanoseconds worst() const {
        const Clock::duration waits =
            is_asked_ ? Clock::now() - asked_.load() : Clock::duration::zero();
        return std::max(last_.load(), waits);
    }

 private:
    std::atomic<bool> is_asked_{false};
    std::atomic<Clock::time_point> asked_{Clock::time_point{}};
    std::atomic<Clock::duration> last_{Clock::duration::zero()};
};

}  // namespace provisioner::daemon
