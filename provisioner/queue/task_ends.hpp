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

/// Writes how claims ended: tasks and attempts, what runs again and when, machines that are made
/// anew.
///
/// Before: the rows of the jobs and of the tasks are locked, and each claim is still its holder's.
/// After: the tasks are done, failed or ready, nobody holds them, and the counters of their jobs
/// say so; attempts that go on are as they were. At once: only who has the task's latest fence gets
/// here, and only once.
class TaskEnds {
 public:
    /// `ending`: jobs that go on badly; nothing of them is tried again.
    TaskEnds(sql::Connection& connection, const std::set<long long>& ending)
        : connection_(connection), ending_(ending) {}

    void succeed(const std::vector<const Finished*>& succeeded);
    void fail(const Finished& finished, const Failed& failed);
    /// Notes a wait; put_back() writes all of them.
    void wait(const Finished& finished, const Waiting& waiting);
    /// Makes ready what waits or is to be tried again.
    void put_back();

    /// What put_back() makes ready.
    const TasksOfJobs& tasks_put_back() const { return put_back_tasks_; }

 private:
    void run_again(const Finished& finished, std::chrono::milliseconds in,
                   const std::string& message);
    void rebuild_machine(const Finished& finished, const Failed& failed);

    /// A task that will run again: when, and what its row says meanwhile.
    struct PutBack {
        long long task = 0;
        std::chrono::milliseconds wait{0};
        std::string message;
    };

    sql::Connection& connection_;
    const std::set<long long>& ending_;
    std::vector<PutBack> put_back_;
    TasksOfJobs put_back_tasks_;
    /// Parts of attempts whose output is told from its beginning again, for IN.
    std::string output_starts_over_;
    /// What the attempts of those that wait say of their outages.
    base::Json outages_ = base::Json::array();
};

}  // namespace provisioner::queue
