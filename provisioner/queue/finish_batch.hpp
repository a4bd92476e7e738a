#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Ends a batch of claims inside the transaction that is open on the connection:
///
///   1. locks the jobs, then the tasks, both in order of their ids, and drops claims that are no
///      longer valid (still_ours),
///   2. writes how the tasks ended and when they run again (task_ends.hpp),
///   3. stores reported facts and when machines existed (node_facts.hpp),
///   4. makes dependents ready (followers.hpp),
///   5. ends jobs that have no task left (job_ends.hpp).
///
/// Jobs come first: two batches about one job run one after the other. Batches about several jobs
/// cannot wait for each other in a circle, because they lock by id. Pause, abort and retry lock the
/// job first as well. A claim and a rescue lock tasks without the job; where they meet a batch, the
/// server may roll one of them back with 1213, and in_transaction runs it again. A claim reported
/// twice is no longer claimed the second time, so a repeated batch changes nothing.
class FinishBatch {
 public:
    /// `connection` has an open READ COMMITTED transaction and must outlive the batch. One object
    /// for one call of run() or put_back_lost().
    explicit FinishBatch(sql::Connection& connection) : connection_(connection) {}

    /// Ends `finished`, which should be at most rows_per_statement claims. Returns how many
    /// dependents became ready. Throws sql::SQLException; the caller rolls back then.
    int run(std::span<const Finished> finished);

    /// Makes the claimed tasks `tasks`, a list of ids for IN, ready at once without ending their
    /// attempts. The caller has locked these tasks and knows that no worker has them. In aborted
    /// jobs it cancels those that cannot have a step under way. In failed jobs it cancels none: a
    /// step may be under way, so the attempt goes on to its end. Returns how many tasks it made
    /// ready, cancelled ones included.
    int put_back_lost(const std::string& tasks);

 private:
    /// Locks jobs and tasks, fills aborted_ and ending_, and returns the claims that are still
    /// valid, each once.
    std::vector<const Finished*> still_ours(std::span<const Finished> finished);

    sql::Connection& connection_;
    /// Jobs of the batch that a person has aborted.
    std::set<long long> aborted_;
    /// Jobs of the batch that go on badly: aborted_, and jobs with a task that failed for good in
    /// an earlier batch.
    std::set<long long> ending_;
};

}  // namespace provisioner::queue
