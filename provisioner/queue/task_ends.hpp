#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "provisioner/queue/job_ends.hpp"
#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Writes how claims ended: tasks, attempts, the jobs' counters, and when a task runs again.
///
/// Before: the rows of the jobs and tasks are locked, and every claim has the task's latest fence.
/// After put_back() and succeed(): each task is done, failed, ready or blocked; no task of the
/// batch is claimed; tasks_done, tasks_failed and tasks_total of the jobs agree with the tasks. An
/// attempt that waits stays in progress. Two at once: the job's lock admits one batch at a time,
/// and the fence admits one end per claim.
class TaskEnds {
 public:
    /// `ending`: jobs with a failed task or an abort from before this batch; a failed confirm of
    /// theirs gets no new machine. Both references must outlive the object.
    TaskEnds(sql::Connection& connection, const std::set<long long>& ending)
        : connection_(connection), ending_(ending) {}

    /// Writes all successes with one statement per table and one per job. To be called once, with
    /// outcomes that hold Succeeded; may be empty.
    void succeed(const std::vector<const Finished*>& succeeded);

    /// Ends the attempt as failed. With retry_in the task is put back by put_back(). For a
    /// confirm in a job that goes on well, the machine is deleted and created again first. Without
    /// it the task has failed for good.
    void fail(const Finished& finished, const Failed& failed);

    /// Notes a wait in memory; put_back() writes all of them.
    void wait(const Finished& finished, const Waiting& waiting);

    /// Writes what wait() and fail() noted: tasks become ready and due after their pause, with the
    /// outage of their attempts. To be called once, after the last fail() and wait().
    void put_back();

    /// The tasks put_back() makes ready, by job. JobEnds cancels them in jobs that go on badly.
    const TasksOfJobs& tasks_put_back() const { return put_back_tasks_; }

 private:
    void run_again(const Finished& finished, std::chrono::milliseconds in,
                   const std::string& message);
    void rebuild_machine(const Finished& finished, const Failed& failed);

    /// A task that runs again after `wait`; `message` is shown until then.
    struct PutBack {
        long long task = 0;
        std::chrono::milliseconds wait{0};
        std::string message;
    };

    sql::Connection& connection_;
    const std::set<long long>& ending_;
    std::vector<PutBack> put_back_;
    TasksOfJobs put_back_tasks_;
    /// "(task, attempt), ..." for IN: attempts whose stored output is deleted, because their next
    /// turn reads it from the beginning.
    std::string output_starts_over_;
    /// [{"id": task, "outage": word}, ...] for attempts that wait and have, or had, an outage.
    base::Json outages_ = base::Json::array();
};

}  // namespace provisioner::queue
