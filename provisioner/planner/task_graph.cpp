#include "provisioner/planner/task_graph.hpp"

#include <algorithm>

namespace provisioner::planner {

std::size_t TaskGraph::KeyHash::operator()(const TaskKey& key) const noexcept {
    // More than the number of actions, so that node and action together are one number.
    constexpr std::size_t actions = 16;
    constexpr std::size_t golden = 0x9e3779b97f4a7c15;
    const std::size_t place = key.node * actions + static_cast<std::size_t>(key.action);
    return std::hash<std::string>{}(key.service) ^ (place * golden);
}

std::size_t TaskGraph::add(const TaskKey& key) {
    const auto [entry, is_new] = index_.try_emplace(key, tasks_.size());
    if (is_new) {
        tasks_.push_back(key);
        followers_.emplace_back();
        waits_for_.push_back(0);
    }
    return entry->second;
}

void TaskGraph::order(const TaskKey& before, const TaskKey& after) {
    const auto first = add(before);
    order(first, add(after));
}

void TaskGraph::order(std::size_t before, std::size_t after) {
    auto& followers = followers_.at(before);
    const auto place = std::lower_bound(followers.begin(), followers.end(), after);
    if (place != followers.end() && *place == after) return;
    ++waits_for_.at(after);
    followers.insert(place, after);
}

void TaskGraph::forget_orders_if(const std::function<bool(std::size_t, std::size_t)>& unwanted) {
    for (std::size_t before = 0; before < tasks_.size(); ++before) {
        std::erase_if(followers_[before], [&](std::size_t after) {
            if (!unwanted(before, after)) return false;
            --waits_for_[after];
            return true;
        });
    }
}

std::optional<std::size_t> TaskGraph::find(const TaskKey& key) const {
    const auto entry = index_.find(key);
    if (entry == index_.end()) return std::nullopt;
    return entry->second;
}

std::optional<std::vector<int>> TaskGraph::rounds() const {
    std::vector<int> rounds(tasks_.size(), 0);
    std::vector<std::size_t> waits_for = waits_for_;
    std::vector<std::size_t> ready;
    ready.reserve(tasks_.size());
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        if (waits_for[task] == 0) ready.push_back(task);
    }
    for (std::size_t done = 0; done < ready.size(); ++done) {
        const std::size_t task = ready[done];
        for (const std::size_t follower : followers_[task]) {
            rounds[follower] = std::max(rounds[follower], rounds[task] + 1);
            if (--waits_for[follower] == 0) ready.push_back(follower);
        }
    }
    if (ready.size() < tasks_.size()) return std::nullopt;
    return rounds;
}

}  // namespace provisioner::planner
