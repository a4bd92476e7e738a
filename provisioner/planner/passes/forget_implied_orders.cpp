#include "provisioner/planner/passes/forget_implied_orders.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace provisioner::planner {

namespace {

/// Of the followers of a task on one node, keeps only the first.
void keep_first_followers(TaskGraph& graph, const std::vector<int>& rounds) {
    const auto& tasks = graph.tasks();
    std::vector<std::unordered_map<std::size_t, int>> first(tasks.size());
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        for (const std::size_t follower : graph.followers(task)) {
            const auto [entry, is_new] =
                first[task].try_emplace(tasks[follower].node, rounds[follower]);
            entry->second = std::min(entry->second, rounds[follower]);
        }
    }
    graph.forget_orders_if([&](std::size_t before, std::size_t after) {
        return first[before].at(tasks[after].node) < rounds[after];
    });
}

/// Of the tasks on one node that a task waits for, keeps only the last.
void keep_last_predecessors(TaskGraph& graph, const std::vector<int>& rounds) {
    const auto& tasks = graph.tasks();
    std::vector<std::unordered_map<std::size_t, int>> last(tasks.size());
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        for (const std::size_t follower : graph.followers(task)) {
            const auto [entry, is_new] = last[follower].try_emplace(tasks[task].node, rounds[task]);
            entry->second = std::max(entry->second, rounds[task]);
        }
    }
    graph.forget_orders_if([&](std::size_t before, std::size_t after) {
        return rounds[before] < last[after].at(tasks[before].node);
    });
}

}  // namespace

void forget_implied_orders(TaskGraph& graph) {
    // Tasks in a row have different rounds, so rounds give their order.
    const auto rounds = graph.rounds();
    if (!rounds) throw std::logic_error("a graph with a circle has no rows");
    keep_first_followers(graph, *rounds);
    keep_last_predecessors(graph, *rounds);
}

}  // namespace provisioner::planner
