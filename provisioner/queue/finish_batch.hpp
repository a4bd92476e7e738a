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
///   1. locks the jobs, then the tasks, both in order of their ids, and leaves out claims that
///      somebody else has by now (still_ours),
///   2. writes how the tasks ended, and what runs again (task_ends.hpp),
///   3. stores what tasks told of their nodes and machines (node_facts.hpp),
///   4. makes ready what waited for them (followers.hpp),
///   5. ends jobs with nothing left to do (job_ends.hpp).
///
/// Everybody who changes tasks locks in that order, so two daemons never wait for each other in a
/// circle. A claim that was told before is no longer claimed: the same batch told twice, after an
/// answer was lost, changes nothing the second time.
class FinishBatch {
 public:
    /// `connection` must outlive the batch.
    explicit FinishBatch(sql::Connection& connection) : connection_(connection) {}

    /// At most rows_per_statement of `finished`. Returns how many tasks became ready.
    int run(std::span<const Finished> finished);

    /// Makes claimed tasks ready again whose workers are gone; `tasks` is a list of their ids for
    /// IN. Those of an aborted job are cancelled. Returns how many.
    int put_back_lost(const std::string& tasks);

 private:
    std::vector<const Finished*> still_ours(std::span<const Finished> finished);

    sql::Connection& connection_;
    /// Jobs of the batch that a person has aborted; those and the ones of which a task had failed.
    std::set<long long> aborted_;
    std::set<long long> ending_;
};

}  // namespace provisioner::queue
