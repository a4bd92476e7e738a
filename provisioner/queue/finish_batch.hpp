#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "provisioner/model/job_end.hpp"
#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Ends a batch of claims inside the transaction that is open on the connection. Locks in one order
/// everywhere (jobs, then tasks), so that two daemons do not wait for each other.
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
    void forget_output(const std::vector<const Finished*>& ours);
    void store_node_facts(const std::vector<const Finished*>& succeeded);
    void note_machines(const std::vector<const Finished*>& succeeded);
    void end_succeeded(const std::vector<const Finished*>& succeeded);
    void end_failed(const Finished& finished, const Failed& failed);
    void rebuild_machine(const Finished& finished, const Failed& failed);
    void put_back();
    int release_followers(const std::vector<const Finished*>& succeeded);
    void end_jobs(const std::set<long long>& jobs);
    model::JobTally tally_of(long long job);
    void cancel_rest_of(long long job);
    void cancel(const std::string& which, long long job);
    bool has_claimed_tasks(long long job);
    void count_loose_ends(long long job, model::JobTally& tally);
    std::string first_failure_of(long long job);
    void end_job(long long job, const model::JobTally& tally, const model::JobEnd& end);

    /// Jobs of the batch that a person has ended, and those and the ones of which a task has
    /// failed.
    std::set<long long> aborted_;
    std::set<long long> ending_;
    /// A task that will run again: when, and what its row says meanwhile.
    struct PutBack {
        long long task = 0;
        std::chrono::milliseconds wait{0};
        std::string message;
    };
    std::vector<PutBack> put_back_;
    /// Job -> those of its tasks that will run again, unless the job ends.
    std::map<long long, std::vector<long long>> may_wait_;
    /// What the attempts of those that wait say of their outages.
    base::Json outages_ = base::Json::array();
    sql::Connection& connection_;
};

}  // namespace provisioner::queue
