#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "provisioner/model/action.hpp"

namespace provisioner::planner {

/// One action on one node for one service; `service` is empty for hardware actions.
struct TaskKey {
    /// Index into PlanRequest::nodes.
    std::size_t node = 0;
    model::Action action = model::Action::create;
    std::string service;

    auto operator<=>(const TaskKey&) const = default;
};

/// Tasks and what waits for what. Tasks are numbered in the order they were added.
class TaskGraph {
 public:
    /// The index of `key`, added if it was not there. O(1).
    std::size_t add(const TaskKey& key);

    /// Makes `after` wait for `before`, adding both where needed; doing it twice changes nothing.
    /// O(log k) for a task with k followers when they come in ascending order, else O(k).
    void order(const TaskKey& before, const TaskKey& after);

    /// The same for tasks of the graph by their indices.
    void order(std::size_t before, std::size_t after);

    /// Forgets every order for which `unwanted(before, after)` holds; asks once for each. O(E).
    void forget_orders_if(const std::function<bool(std::size_t, std::size_t)>& unwanted);

    /// The index of `key`; nothing if it is not in the graph. O(1).
    std::optional<std::size_t> find(const TaskKey& key) const;

    const std::vector<TaskKey>& tasks() const { return tasks_; }

    /// Indices of the tasks that wait for task `index`, ascending.
    const std::vector<std::size_t>& followers(std::size_t index) const { return followers_[index]; }

    /// How many tasks task `index` waits for.
    std::size_t waits_for(std::size_t index) const { return waits_for_[index]; }

    /// The longest distance of each task from a source: its round. Nothing when there is a circle.
    /// O(V + E).
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
