#pragma once

#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// Whether an attempt that could not reach its node or provider once more has waited long enough:
/// nothing was heard for timing::outage_patience, and at least timing::outage_turns turns have
/// tried meanwhile. A daemon or a database that was away makes the outage look long, and tries
/// nothing.
bool has_lasted_too_long(const queue::OutageSoFar& outage);

/// How a turn ends that was interrupted: it waits, as `outage` says, and is tried again after a
/// second or two. `jitter` in [0, 1): those who lost their connections together must not come back
/// together.
queue::Waiting wait_for_end(queue::Outage outage, std::string reason, double jitter);

}  // namespace provisioner::daemon
