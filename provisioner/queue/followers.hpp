#pragma once

#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Counts down the dependents of `succeeded`, tasks that this transaction has just made done. A
/// dependent with no predecessor left becomes ready and is queued, due at once. Returns how many
/// became ready. Costs one read; each dependent's row is written once, however many of its
/// predecessors are in the batch.
///
/// Before: the rows of the jobs are locked, and none of `succeeded` was counted before.
/// After: `waits_for` of a blocked task is the number of its predecessors that are not done.
/// Two at once: edges stay within a job, and every writer of waits_for holds that job's lock. So no
/// two batches count down the same dependent at the same time, and the read needs no lock.
int release_followers(sql::Connection& connection, const std::vector<const Finished*>& succeeded);

}  // namespace provisioner::queue
