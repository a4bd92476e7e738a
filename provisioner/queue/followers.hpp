#pragma once

#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Counts down the tasks that wait for these, which are done; those with nothing left to wait for
/// become ready and are queued. Returns how many became ready.
///
/// Before: the rows of the jobs are locked, and none of `succeeded` was counted before.
/// After: `waits_for` of a blocked task is the number of its predecessors that are not done.
/// At once: edges stay within a job, and whoever counts holds the job's lock, so two batches never
/// count for the same follower at the same time.
int release_followers(sql::Connection& connection, const std::vector<const Finished*>& succeeded);

}  // namespace provisioner::queue
