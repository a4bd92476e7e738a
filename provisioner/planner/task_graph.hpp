#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "provisioner/model/action.hpp"

namespace provisioner::planner {

/// Identifies a task: one action on one node for one service.
struct TaskKey {
    /// Index into the nodes of the request that the graph was planned for.
    std::size_t node = 0;
    model::Action action = model::Action::create;
    /// Empty for hardware actions.
    std::string service;

    auto operator<=>(const TaskKey&) const = default;
};

/// Tasks and the orders among them. Knows nothing of services or operations. Tasks are numbered
/// from 0 in the order they were added, and no task is ever removed. The passes build it up in
/// place; stores turn it into rows of task and task_edge. May hold circles until rounds() is asked.
/// Not for use by several threads while it changes.
class TaskGraph {
 public:
    /// The index of `key`, which is added if it is missing. Expected O(1).
    std::size_t add(const TaskKey& key);

    /// Makes `after` wait for `before`, adding both where needed. Repeating it changes nothing.
    /// O(log k) for a task with k followers when they come in ascending order, else O(k).
    void order(const TaskKey& before, const TaskKey& after);

    /// The same by indices. Throws std::out_of_range when `before` is no task, or when `after` is
    /// none.
    void order(std::size_t before, std::size_t after);

    /// Removes every order for which `unwanted(before, after)` holds. Calls it once per order. O(V
    /// + E).
    void forget_orders_if(const std::function<bool(std::size_t, std::size_t)>& unwanted);

    /// The index of `key`; nothing if it is not in the graph. Expected O(1).
    std::optional<std::size_t> find(const TaskKey& key) const;

    /// All tasks by index. The reference stays valid; its elements move when tasks are added.
    const std::vector<TaskKey>& tasks() const { return tasks_; }

    /// Indices of the tasks that wait for task `index`, ascending. `index` is not checked.
    const std::vector<std::size_t>& followers(std::size_t index) const { return followers_[index]; }

    /// Number of tasks that task `index` waits for directly. `index` is not checked.
    std::size_t waits_for(std::size_t index) const { return waits_for_[index]; }

    /// The round of each task: its longest distance from a task that waits for nothing. Nothing
    /// when the graph has a circle. O(V + E).
    std::optional<std::vector<int>> rounds() const;

 private:
    struct KeyHash {
        std::size_t operator()(const TaskKey& key) const noexcept;
    };

    std::vector<TaskKey> tasks_;
    std::vector<std::vector<std::size_t>> followers_;
    std::vector<std::size_t> waits_for_;
    std::unordered_map<TaskKey, std::size_t, KeyHash> index_;
};

}  // namespace provisioner::planner
