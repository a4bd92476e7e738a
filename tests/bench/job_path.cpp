// Prints one JSON object about the latest job of a cluster: how long it took, and how long the
// longest chain of its own tasks' durations is. A job that never waits for anything but its tasks
// has makespan / critical_path = 1. Beside it: how long the same tasks take at best when each stage
// of the plan waits for the whole stage before.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "provisioner/base/config.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace {

using namespace provisioner;
using Seconds = std::chrono::duration<double>;

/// What an ideal engine would need for tasks that take as long as they took.
struct Ideal {
    /// Every task begins when all it waits for have ended: the sum along the longest chain.
    Seconds critical_path{0};
    /// Every stage begins when all of the stage before have ended: the sum of the longest of each.
    Seconds under_stage_barriers{0};
};

using Edges = std::vector<std::pair<model::TaskId, model::TaskId>>;

/// Ids ascend along edges only by chance, so: to a fixed point.
template <class Value, class Through>
void spread_along(const Edges& edges, std::map<model::TaskId, Value>& values, Through&& through) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [before, after] : edges) {
            const Value least = through(values[before], after);
            if (least <= values[after]) continue;
            values[after] = least;
            changed = true;
        }
    }
}

Ideal ideal_of(const std::vector<model::Task>& tasks, const Edges& edges) {
    std::map<model::TaskId, Seconds> duration;
    std::map<model::TaskId, int> stage;
    for (const model::Task& task : tasks) {
        if (!task.started_at || !task.finished_at)
            throw std::runtime_error("the job has not ended");
        duration[task.id] = *task.finished_at - *task.started_at;
        stage[task.id] = 0;
    }
    std::map<model::TaskId, Seconds> ends = duration;
    spread_along(edges, ends,
                 [&](Seconds before, model::TaskId after) { return before + duration[after]; });
    spread_along(edges, stage, [](int before, model::TaskId) { return before + 1; });
    Ideal ideal;
    std::map<int, Seconds> longest_of_stage;
    for (const auto& [task, took] : duration) {
        ideal.critical_path = std::max(ideal.critical_path, ends[task]);
        Seconds& longest = longest_of_stage[stage[task]];
        longest = std::max(longest, took);
    }
    for (const auto& [number, longest] : longest_of_stage) ideal.under_stage_barriers += longest;
    return ideal;
}

/// The most tasks that were in flight at one time.
int most_at_once(const std::vector<model::Task>& tasks) {
    std::vector<std::pair<base::Timestamp, int>> changes;
    for (const model::Task& task : tasks) {
        changes.emplace_back(*task.started_at, 1);
        changes.emplace_back(*task.finished_at, -1);
    }
    std::sort(changes.begin(), changes.end());
    int now = 0;
    int most = 0;
    for (const auto& [moment, change] : changes) most = std::max(most, now += change);
    return most;
}

int report(const base::Config& config, model::ClusterId cluster) {
    store::Database database(config);
    return database.read([&](store::Connection& connection) {
        const auto jobs = store::jobs_of(connection, cluster);
        if (jobs.empty() || !jobs.front().finished_at) throw std::runtime_error("no job has ended");
        const model::Job& job = jobs.front();
        const auto tasks = store::tasks_of(connection, job.id);
        const Ideal ideal = ideal_of(tasks, store::edges_of(connection, job.id));
        const Seconds makespan = *job.finished_at - job.created_at;
        std::cout << base::Json{{"tasks", tasks.size()},
                                {"makespan", makespan.count()},
                                {"critical_path", ideal.critical_path.count()},
                                {"under_stage_barriers", ideal.under_stage_barriers.count()},
                                {"most_at_once", most_at_once(tasks)}}
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
        return report(base::Config::load(argv[1], "migrate"),
                      model::ClusterId{std::atoll(argv[2])});
    } catch (const std::exception& error) {
        std::cerr << "bench_job_path: " << error.what() << "\n";
        return 1;
    }
}
