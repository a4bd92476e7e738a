#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "provisioner/base/clock.hpp"

namespace provisioner::daemon {

/// How long the database has answered without a break, as far as those who ask it regularly can
/// tell. Safe from any thread; one thread tells.
class DatabaseContact {
 public:
    using Moment = base::BootClock::time_point;

    /// It was asked something small at that moment and has answered now. An answer that took longer
    /// than timing::slow_answer is the first one after a break: the database or this process stood
    /// still.
    void answered(Moment asked, Moment now);

    /// It has failed.
    void failed() { since_ = none; }

    /// Whether there was no break for so long.
    bool has_lasted(std::chrono::seconds time, Moment now) const;

 private:
    static constexpr Moment none = Moment::max();
    std::atomic<Moment> since_{none};
};

}  // namespace provisioner::daemon
