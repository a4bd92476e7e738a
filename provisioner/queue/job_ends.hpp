#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job_end.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Ids of tasks by the id of their job.
using TasksOfJobs = std::map<long long, std::vector<long long>>;

/// Ends jobs that have no task left, with their clusters' changes and the callbacks about them. The
/// web side ends jobs by the same statements and rules (statements/job_end.hpp, model::end_of).
///
/// Before: the rows of the jobs are locked, and the batch has written every end of a task and every
/// counter.
/// After: a job with nothing left to do is complete or failed. A job goes on badly when a task
/// has failed or a person aborted it; none of its tasks that have not begun is blocked or ready.
/// Two at once: every batch that ends a task holds its job's lock, so of two batches with the last
/// two tasks the second sees both ends. A claim does not take that lock; count_loose_ends() locks
/// the tasks and thereby waits for it.
class JobEnds {
 public:
    /// `ending`: jobs that went on badly before this transaction; what waited in them then is
    /// cancelled already. `put_back`: tasks this transaction has made ready again. An empty
    /// `ending` is always correct, but reads all tasks of a job. All three must outlive the object.
    JobEnds(sql::Connection& connection, const std::set<long long>& ending,
            const TasksOfJobs& put_back)
        : connection_(connection), ending_(ending), put_back_(put_back) {}

    /// Looks at each job, in order of ids, and ends those that are over. Others are left running. A
    /// job that has ended already is left alone.
    void end(const std::set<long long>& jobs);

 private:
    /// The job's counters; `claimed` and `only_refused_creates` are not set.
    model::JobTally tally_of(long long job);
    /// Cancels what waits in a job that goes on badly.
    void cancel_rest_of(long long job);
    /// `which` is a further condition on the tasks, beginning with " AND", or empty.
    void cancel(const std::string& which, long long job);
    /// Reads without locks: false only means that no claim was committed before.
    bool has_claimed_tasks(long long job);
    /// Sets `claimed` and `only_refused_creates`; reads and locks all tasks of the job.
    void count_loose_ends(long long job, model::JobTally& tally);
    /// "<action> <service> on <host>: <message>" of the task that failed first, with " (and N
    /// more)" when others failed; empty when none did.
    std::string first_failure_of(long long job);
    void end_job(long long job, const model::JobTally& tally, const model::JobEnd& end);

    sql::Connection& connection_;
    const std::set<long long>& ending_;
    const TasksOfJobs& put_back_;
};

}  // namespace provisioner::queue
