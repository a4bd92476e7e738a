#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/jobs/job_page.hpp"

namespace tests {

/// How many of these tasks of each kind are in which state.
inline std::vector<provisioner::store::KindCount> kinds_of(
    const std::vector<provisioner::model::Task>& tasks) {
    std::vector<provisioner::store::KindCount> kinds;
    for (const auto& task : tasks) {
        const provisioner::store::TaskKind kind{.action = task.action, .service = task.service};
        const auto counted = std::ranges::find_if(kinds, [&](const auto& count) {
            return count.kind == kind && count.state == task.state;
        });
        if (counted == kinds.end()) {
            kinds.push_back({.kind = kind, .state = task.state, .tasks = 1});
        } else {
            ++counted->tasks;
        }
    }
    return kinds;
}

/// What the database would read of a job with these tasks: counts, the page of lanes, the critical
/// path, the page of the list.
inline fcgi::pages::JobPage read_job(const provisioner::model::Job& job,
                                     const std::vector<provisioner::model::Task>& tasks,
                                     const fcgi::pages::TaskEdges& edges,
                                     const std::vector<provisioner::model::Node>& nodes,
                                     fcgi::pages::JobQuery query,
                                     const fcgi::pages::Durations& durations,
                                     provisioner::base::Timestamp at) {
    using namespace provisioner::model;
    using namespace fcgi::pages;
    JobPage page{.job = job, .query = std::move(query)};
    std::map<NodeId, provisioner::store::JobMachine> machines;
    for (const Node& node : nodes) {
        machines[node.id] = {.node = node.id, .nodenum = node.nodenum, .hostname = node.hostname};
    }
    std::vector<Task> unfinished;
    const auto is_over = [](const Task& task) {
        return task.state != TaskState::blocked && task.state != TaskState::ready &&
               task.state != TaskState::claimed;
    };
    for (const Task& task : tasks) {
        auto& machine = machines[task.node];
        ++machine.tasks;
        machine.done += task.state == TaskState::done ? 1 : 0;
        machine.failed += task.state == TaskState::failed ? 1 : 0;
        machine.running += task.state == TaskState::claimed ? 1 : 0;
        machine.over += is_over(task) ? 1 : 0;
        if (task.started_at) {
            machine.began = std::min(machine.began.value_or(*task.started_at), *task.started_at);
            if (task.finished_at) machine.ended = std::max(machine.ended, task.finished_at);
        }
        if (!is_over(task)) unfinished.push_back(task);
    }
    page.kinds = kinds_of(tasks);
    if (may_forecast(job, page.kinds)) page.forecast = forecast(unfinished, edges, durations, at);

    const auto task_of = [&](TaskId id) { return *std::ranges::find(tasks, id, &Task::id); };
    std::optional<Task> last;
    if (page.forecast) {
        last = task_of(page.forecast->path.front());
    } else {
        for (const Task& task : tasks) {
            if (!task.started_at || !task.finished_at) continue;
            if (!last || *task.finished_at > *last->finished_at) last = task;
        }
    }
    if (last) {
        page.path = critical_path(*last, [&](const Task& task) {
            std::optional<Task> found;
            for (const auto& [before, after] : edges) {
                if (after != task.id) continue;
                const Task candidate = task_of(before);
                if (!candidate.started_at || !candidate.finished_at) continue;
                if (!found || *candidate.finished_at > *found->finished_at) found = candidate;
            }
            return found;
        });
    }
    if (page.forecast) {
        for (const TaskId id : page.forecast->path) {
            if (id != page.forecast->path.front()) page.path.push_back(task_of(id));
        }
    }
    std::set<NodeId> on_path;
    for (const Task& task : page.path) on_path.insert(task.node);
    for (auto& [node, machine] : machines) {
        if (machine.tasks > 0) page.machines.push_back(machine);
    }
    page.machines = ordered_lanes(page.machines, on_path);
    const LanePage shown = lane_page(page.machines, page.query.lanes);
    std::set<NodeId> on_page;
    for (std::size_t i = shown.first; i < shown.last; ++i) on_page.insert(page.machines[i].node);
    const auto filter = page.query.filter();
    for (const Task& task : tasks) {
        if (on_page.contains(task.node)) page.lane_tasks.push_back(task);
    }
    auto listed = tasks;
    std::ranges::stable_sort(listed, {}, [](const Task& task) {
        if (task.state == TaskState::failed) return 0;
        if (task.state == TaskState::claimed) return 1;
        if (task.state != TaskState::done) return 2;
        return task.attempt > 1 ? 3 : 4;
    });
    for (const Task& task : listed) {
        if (filter.state.value_or(task.state) != task.state ||
            filter.action.value_or(task.action) != task.action ||
            filter.service.value_or(task.service) != task.service ||
            machines[task.node].hostname.find(filter.machine) == std::string::npos) {
            continue;
        }
        const int from = (page.query.page - 1) * tasks_on_a_page;
        if (page.matching >= from && page.matching < from + tasks_on_a_page) {
            page.tasks.push_back({.task = task,
                                  .hostname = machines[task.node].hostname,
                                  .status_code = task.state == TaskState::failed
                                                     ? std::optional(100)
                                                     : std::nullopt});
        }
        ++page.matching;
    }
    return page;
}

}  // namespace tests
