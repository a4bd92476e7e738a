#include "provisioner/planner/job_stages.hpp"

#include <algorithm>
#include <map>

#include "provisioner/planner/plan.hpp"

namespace provisioner::planner {

namespace {

TaskKey key_of(const model::Task& task) {
    return {.node = static_cast<std::size_t>(task.node.value),
            .action = task.action,
            .service = task.service};
}

bool has_ended(const std::vector<const model::Task*>& stage) {
    return std::all_of(stage.begin(), stage.end(), [](const model::Task* task) {
        return task->state == model::TaskState::done;
    });
}

}  // namespace

JobStages job_stages(const std::vector<model::Task>& tasks,
                     const std::vector<std::pair<model::TaskId, model::TaskId>>& edges) {
    TaskGraph graph;
    std::map<model::TaskId, TaskKey> keys;
    std::vector<const model::Task*> task_at;
    for (const model::Task& task : tasks) {
        TaskKey key = key_of(task);
        // A machine that was created twice has several tasks with equal keys; the suffix keeps them
        // apart.
        while (graph.find(key)) key.service += '+';
        const std::size_t index = graph.add(keys[task.id] = key);
        task_at.resize(std::max(task_at.size(), index + 1));
        task_at[index] = &task;
    }
    for (const auto& [before, after] : edges) graph.order(keys.at(before), keys.at(after));
    JobStages found;
    for (const auto& indices : stages(graph)) {
        auto& stage = found.emplace_back();
        for (const std::size_t index : indices) stage.push_back(task_at[index]);
    }
    return found;
}

std::size_t current_stage(const JobStages& stages) {
    const auto current = std::find_if_not(stages.begin(), stages.end(), has_ended);
    const auto passed = static_cast<std::size_t>(current - stages.begin());
    return stages.empty() ? 0 : std::min(passed, stages.size() - 1);
}

}  // namespace provisioner::planner
