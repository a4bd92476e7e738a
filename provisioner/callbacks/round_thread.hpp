#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include "provisioner/base/failure_log.hpp"

namespace provisioner::callbacks {

/// Runs the rounds of a sender on a thread of its own: they follow each other while there is
/// something to send, else one per second. What a round throws is logged, and the next round
/// follows.
class RoundThread {
 public:
    /// Starts the thread. `round` returns how much it has sent, 0 when nothing was due; only the
    /// thread calls it. `failed` and `works_again` are events of the log, literals. `log` and what
    /// `round` uses must outlive the object.
    RoundThread(std::function<int()> round, const base::Log& log, std::string_view failed,
                std::string_view works_again);

    /// Stops, and blocks until the round under way has ended.
    ~RoundThread();

    /// Lets no further round begin, without waiting. Safe from any thread, any number of times.
    void stop();

 private:
    /// Body of the thread.
    void run();

    std::function<int()> round_;
    base::FailureLog failures_;
    /// Guards stopping_.
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace provisioner::callbacks
