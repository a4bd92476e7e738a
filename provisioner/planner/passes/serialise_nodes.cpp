#include "provisioner/planner/passes/serialise_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace provisioner::planner {

namespace {

/// Length of the longest path from each task to a task without followers.
std::vector<int> rounds_behind(const TaskGraph& graph, const std::vector<int>& rounds) {
    std::vector<std::size_t> last_first(rounds.size());
    std::iota(last_first.begin(), last_first.end(), 0);
    std::ranges::sort(last_first, std::greater{}, [&](std::size_t task) { return rounds[task]; });
    std::vector<int> behind(rounds.size(), 0);
    for (const std::size_t task : last_first) {
        for (const std::size_t follower : graph.followers(task)) {
            behind[task] = std::max(behind[task], behind[follower] + 1);
        }
    }
    return behind;
}

}  // namespace

void serialise_each_node(TaskGraph& graph) {
    const auto rounds = graph.rounds();
    if (!rounds) throw std::logic_error("a graph with a circle has no rows");
    const auto behind = rounds_behind(graph, *rounds);
    const auto& tasks = graph.tasks();
    std::vector<std::size_t> row(tasks.size());
    std::iota(row.begin(), row.end(), 0);
    std::ranges::sort(row, {}, [&](std::size_t task) {
        return std::tuple(tasks[task].node, (*rounds)[task], -behind[task],
                          std::string_view(tasks[task].service), tasks[task].action);
    });
    for (std::size_t at = 1; at < row.size(); ++at) {
        if (tasks[row[at - 1]].node == tasks[row[at]].node) graph.order(row[at - 1], row[at]);
    }
}

}  // namespace provisioner::planner
