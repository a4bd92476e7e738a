#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "provisioner/base/clock.hpp"

namespace provisioner::daemon {

/// How long the database has answered without a break. The renewing thread reports every heartbeat
/// here; the duties ask before they rescue claims of other daemons.
///
/// Why: during an outage of the database no daemon can renew its claims, and all of them run out.
/// The first daemon that reaches it again must not take the claims of the others, which still work.
/// It waits for the time of a claim, in which the others renew. The clock is BootClock, so that a
/// host that was suspended counts as a break.
///
/// One thread may call answered() and failed(), any thread has_lasted(); no locks, no I/O.
class DatabaseContact {
 public:
    using Moment = base::BootClock::time_point;

    /// A small statement was sent at `asked` and answered at `now`. An answer that took longer than
    /// timing::slow_answer counts as the first one after a break: the database or this process
    /// stood still.
    void answered(Moment asked, Moment now);

    /// A statement failed: contact begins anew with the next answer.
    void failed() { since_ = none; }

    /// Whether the database has answered without a break for at least `time`; false before the
    /// first answer.
    bool has_lasted(std::chrono::seconds time, Moment now) const;

 private:
    /// Stands for "no contact".
    static constexpr Moment none = Moment::max();
    /// The first answer since the last break.
    std::atomic<Moment> since_{none};
};

}  // namespace provisioner::daemon
