#pragma once

#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// Whether an attempt whose turn again could not reach its node or provider has waited long enough.
/// True after more than timing::outage_patience without an answer and at least timing::outage_turns
/// turns. Both conditions, because while no daemon or no database is there the time passes, but
/// nothing tries. Pure.
bool has_lasted_too_long(const queue::OutageSoFar& outage);

/// The outcome of a turn that was interrupted: it waits timing::reconnect_in times (1 + `jitter`),
/// with `outage` and `reason` stored. The next turn reads the output of a running step from its
/// beginning. `jitter` in [0, 1): tasks that lost their connections together must not return
/// together.
queue::Waiting wait_for_end(queue::Outage outage, std::string reason, double jitter);

}  // namespace provisioner::daemon
