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

/// Tasks of jobs, by the ids of the jobs.
using TasksOfJobs = std::map<long long, std::vector<long long>>;

/// Ends jobs whose tasks are over, with their clusters' changes and the callbacks that tell of it.
///
/// Before: the rows of the jobs are locked, and everything else the batch has to say of their tasks
/// is written.
/// After: a job without anything left to do is complete or failed; of one that goes on badly (a
/// task has failed, or a person aborted it) nothing waits that has not begun.
/// At once: whoever ends a task holds its job's lock, so of two batches with the last two tasks the
/// second sees both ends. A claim does not take that lock: the count of what is claimed locks the
/// tasks and waits for it.
class JobEnds {
 public:
    /// `ending`: jobs that went on badly before this batch, so that what waited then is cancelled
    /// already. `put_back`: tasks the batch has made ready again.
    JobEnds(sql::Connection& connection, const std::set<long long>& ending,
            const TasksOfJobs& put_back)
        : connection_(connection), ending_(ending), put_back_(put_back) {}

    void end(const std::set<long long>& jobs);

 private:
    model::JobTally tally_of(long long job);
    void cancel_rest_of(long long job);
    void cancel(const std::string& which, long long job);
    bool has_claimed_tasks(long long job);
    void count_loose_ends(long long job, model::JobTally& tally);
    std::string first_failure_of(long long job);
    void end_job(long long job, const model::JobTally& tally, const model::JobEnd& end);

    sql::Connection& connection_;
    const std::set<long long>& ending_;
    const TasksOfJobs& put_back_;
};

}  // namespace provisioner::queue
