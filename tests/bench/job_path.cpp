// Prints one JSON object about the latest job of a cluster: how long it took, and how long the
// longest chain of its own tasks' durations is. A job that never waits for anything but its tasks
// has makespan / critical_path = 1.
#include <cstdlib>
#include <iostream>

#include "provisioner/base/config.hpp"
#include "provisioner/store/job_store.hpp"
#include "provisioner/store/work_store.hpp"

namespace {

using namespace provisioner;
using Seconds = std::chrono::duration<double>;

/// The sum of durations along the longest chain of edges. Ids ascend along edges only by chance,
/// so: to a fixed point.
Seconds longest_chain(const std::vector<model::Task>& tasks,
                      const std::vector<std::pair<model::TaskId, model::TaskId>>& edges) {
    std::map<model::TaskId, Seconds> duration;
    std::map<model::TaskId, Seconds> ends;
    for (const model::Task& task : tasks) {
        if (!task.started_at || !task.finished_at)
            throw std::runtime_error("the job has not ended");
        duration[task.id] = *task.finished_at - *task.started_at;
        ends[task.id] = duration[task.id];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [before, after] : edges) {
            const Seconds through = ends[before] + duration[after];
            if (through <= ends[after]) continue;
            ends[after] = through;
            changed = true;
        }
    }
    Seconds longest{0};
    for (const auto& [task, end] : ends) longest = std::max(longest, end);
    return longest;
}

int report(const base::Config& config, model::ClusterId cluster) {
    store::Database database(config);
    return database.read([&](store::Connection& connection) {
        const auto jobs = store::jobs_of(connection, cluster);
        if (jobs.empty() || !jobs.front().finished_at) throw std::runtime_error("no job has ended");
        const model::Job& job = jobs.front();
        const auto tasks = store::tasks_of(connection, job.id);
        const Seconds path = longest_chain(tasks, store::edges_of(connection, job.id));
        const Seconds makespan = *job.finished_at - job.created_at;
        std::cout << base::Json{{"tasks", tasks.size()},
                                {"makespan", makespan.count()},
                                {"critical_path", path.count()}}
                  << "\n";
        return 0;
    });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: bench_job_path SETTINGS-FILE CLUSTER-ID\n";
        return 2;
    }
    try {
        return report(base::Config::load(argv[1]), model::ClusterId{std::atoll(argv[2])});
    } catch (const std::exception& error) {
        std::cerr << "bench_job_path: " << error.what() << "\n";
        return 1;
    }
}
