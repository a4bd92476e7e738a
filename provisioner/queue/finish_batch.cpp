#include "provisioner/queue/finish_batch.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <unordered_map>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/followers.hpp"
#include "provisioner/queue/job_ends.hpp"
#include "provisioner/queue/node_facts.hpp"
#include "provisioner/queue/queue_head.hpp"
#include "provisioner/queue/task_ends.hpp"

namespace provisioner::queue {

// Before: an open READ COMMITTED transaction. After: every valid claim of `finished` is ended, and
// states, counters, edges and jobs agree; nothing is visible to others until the caller commits.
// Order matters: counters are written before JobEnds reads them, and tasks are put back before
// JobEnds cancels them. Dependents are released before it, so that a job with a new failure cancels
// them. Two at once: still_ours() makes the second batch of a job wait for the first one's commit.
int FinishBatch::run(std::span<const Finished> finished) {
    const std::vector<const Finished*> ours = still_ours(finished);
    if (ours.empty()) return 0;

    TaskEnds tasks(connection_, ending_);
    std::vector<const Finished*> succeeded;
    std::set<long long> jobs = aborted_;
    for (const Finished* one : ours) {
        const long long job = one->claim.job.value;
        // In a job that goes on badly nothing is tried again, so every outcome may end the job.
        bool may_end_job = ending_.contains(job);
        if (std::holds_alternative<Succeeded>(one->outcome)) {
            succeeded.push_back(one);
            may_end_job = true;
        } else if (const auto* failure = std::get_if<Failed>(&one->outcome)) {
            tasks.fail(*one, *failure);
            may_end_job = may_end_job || !failure->retry_in;
        } else {
            tasks.wait(*one, std::get<Waiting>(one->outcome));
        }
        if (may_end_job) jobs.insert(job);
    }
    tasks.put_back();
    tasks.succeed(succeeded);
    store_node_facts(connection_, succeeded);
    note_machines(connection_, succeeded);
    const int released = release_followers(connection_, succeeded);
    JobEnds(connection_, ending_, tasks.tasks_put_back()).end(jobs);
    return released;
}

// Before: no locks. After: the jobs, then the claimed tasks, are locked until the transaction ends,
// and each returned claim has its task's latest fence. The jobs' flags are read under these locks.
// Two at once: another batch of the job waits here and then finds the task no longer claimed. A
// rescue skips locked tasks, or has committed, and the claim is dropped. A new claim raises the
// fence, which drops the old claim even when its worker returns hours later.
std::vector<const Finished*> FinishBatch::still_ours(std::span<const Finished> finished) {
    if (finished.empty()) return {};
    std::set<long long> ids;
    for (const Finished& one : finished) ids.insert(one.claim.job.value);
    const auto jobs =
        select(connection_, "SELECT id, aborted, tasks_failed FROM job WHERE id IN (" +
                                id_list(ids, [](long long id) { return id; }) +
                                ") ORDER BY id FOR UPDATE");
    while (jobs->next()) {
        const long long id = jobs->getInt64("id");
        if (jobs->getBoolean("aborted")) aborted_.insert(id);
        if (aborted_.contains(id) || jobs->getInt("tasks_failed") > 0) ending_.insert(id);
    }
    const auto rows = select(
        connection_, "SELECT id, fence FROM task WHERE state = 'claimed' AND id IN (" +
                         id_list(finished, [](const Finished& f) { return f.claim.task.value; }) +
                         ") ORDER BY id FOR UPDATE");
    std::unordered_map<long long, long long> fences;
    while (rows->next()) fences[rows->getInt64("id")] = rows->getInt64("fence");

    std::vector<const Finished*> ours;
    for (const Finished& one : finished) {
        const auto found = fences.find(one.claim.task.value);
        if (found == fences.end() || found->second != one.claim.fence) continue;
        ours.push_back(&one);
        // One batch may contain a claim twice; only its first end counts.
        fences.erase(found);
    }
    return ours;
}

// Before: the caller has locked `tasks`, all claimed, and no worker has them. After: they are
// ready, due at once, with their attempts in progress and the same fence; the next claim raises it.
// The lock order is reversed here: tasks are locked before the jobs, because only their rows say
// which claims are lost. Two at once: a batch that holds a job and waits for its task deadlocks
// with this; the server rolls one back with 1213. A pause or abort locks the tasks, so it waits.
int FinishBatch::put_back_lost(const std::string& tasks) {
    const auto rows = select(connection_,
                             "SELECT DISTINCT job.id FROM job JOIN task ON task.job_id = job.id "
                             "WHERE job.aborted AND task.id IN (" +
                                 tasks + ") FOR UPDATE");
    std::set<long long> aborted;
    while (rows->next()) aborted.insert(rows->getInt64(1));
    queue_tasks(connection_, tasks, std::chrono::milliseconds{0});
    const int count = execute(connection_,
                              "UPDATE task SET state = 'ready', claimed_until = NULL, "
                              "held_for = NULL, worker = NULL WHERE id IN (" +
                                  tasks + ")");
    JobEnds(connection_, {}, {}).end(aborted);
    return count;
}

}  // namespace provisioner::queue
