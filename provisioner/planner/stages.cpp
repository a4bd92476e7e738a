#include <algorithm>
#include <set>
#include <stdexcept>

#include "provisioner/planner/plan.hpp"

namespace provisioner::planner {

namespace {

using Stage = std::vector<std::size_t>;

std::vector<Stage> by_round(const std::vector<int>& rounds) {
    std::vector<Stage> stages;
    for (std::size_t task = 0; task < rounds.size(); ++task) {
        const auto round = static_cast<std::size_t>(rounds[task]);
        if (stages.size() <= round) stages.resize(round + 1);
        stages[round].push_back(task);
    }
    return stages;
}

/// Puts each task into the first part that has no task of its node yet.
std::vector<Stage> one_task_per_node(const Stage& stage, const std::vector<TaskKey>& tasks) {
    std::vector<Stage> parts;
    std::vector<std::set<std::size_t>> nodes;
    for (const std::size_t task : stage) {
        const std::size_t node = tasks[task].node;
        std::size_t part = 0;
        while (part < parts.size() && nodes[part].contains(node)) ++part;
        if (part == parts.size()) {
            parts.emplace_back();
            nodes.emplace_back();
        }
        parts[part].push_back(task);
        nodes[part].insert(node);
    }
    return parts;
}

}  // namespace

std::vector<Stage> stages(const TaskGraph& graph) {
    const auto rounds = graph.rounds();
    if (!rounds) throw std::logic_error("a graph with a circle has no stages");
    const auto& tasks = graph.tasks();
    std::vector<Stage> found;
    for (const Stage& stage : by_round(*rounds)) {
        for (Stage& part : one_task_per_node(stage, tasks)) {
            std::ranges::sort(part, {}, [&](std::size_t task) { return tasks[task].node; });
            found.push_back(std::move(part));
        }
    }
    return found;
}

}  // namespace provisioner::planner
