#include "provisioner/planner/passes/resume_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include "provisioner/planner/passes/barrier.hpp"

namespace provisioner::planner {

namespace {

using model::Action;

/// A service that runs is only started for one that arrives and needs it.
bool is_start_for_nobody(const ChangePlaces& places, const TaskKey& task) {
    return task.action == Action::start && !places.is_restarted(task.service) &&
           std::ranges::none_of(places.arriving, [&](const auto& arriving) {
               return places.needs.needs(arriving.first, task.service);
           });
}

bool is_done(const ChangePlaces& places, const TaskKey& task) {
    const ChangedNode& node = places.request.nodes[task.node];
    if (node.membership == Membership::stays) return is_start_for_nobody(places, task);
    if (node.membership != Membership::resumes) return false;
    if (model::is_set_up(task.action)) {
        return !node.rest.steps.contains({task.action, task.service});
    }
    if (!node.rest.settled.contains(task.service)) return false;
    if (task.action == Action::start) return !places.is_restarted(task.service);
    return task.action == Action::configure && !places.dependents.contains(task.service) &&
           !places.peers.contains(task.service);
}

/// A graph and what remains of it.
struct Pruning {
    const TaskGraph& graph;
    /// By task of `graph`: its number in `rest`; nothing for those that are done.
    std::vector<std::optional<std::size_t>> kept{};
    TaskGraph rest{};

    void order(std::size_t task, std::span<const std::size_t> followers) {
        for (const std::size_t follower : followers) rest.order(*kept[task], *kept[follower]);
    }
};

Pruning kept_tasks(const TaskGraph& graph, const ChangePlaces& places) {
    Pruning pruning{.graph = graph};
    for (const TaskKey& task : graph.tasks()) {
        auto& number = pruning.kept.emplace_back();
        if (!is_done(places, task)) number = pruning.rest.add(task);
    }
    return pruning;
}

/// How many kept tasks each task waits for directly.
std::vector<std::size_t> kept_before(const Pruning& pruning) {
    std::vector<std::size_t> before(pruning.kept.size(), 0);
    for (std::size_t task = 0; task < before.size(); ++task) {
        if (!pruning.kept[task]) continue;
        for (const std::size_t follower : pruning.graph.followers(task)) ++before[follower];
    }
    return before;
}

}  // namespace

void stop_what_has_begun(TaskGraph& graph, const ChangePlaces& places) {
    for (std::size_t node = 0; node < places.request.nodes.size(); ++node) {
        for (const auto& service : places.request.nodes[node].rest.begun) {
            if (!places.services.contains(service) || !places.defines(service, Action::stop)) {
                continue;
            }
            for (const Action next : {Action::configure, Action::start}) {
                const auto task = graph.find({node, next, service});
                if (task) graph.order(graph.add({node, Action::stop, service}), *task);
            }
        }
    }
}

// From the last task to the first: of each step that is done it is then known which kept tasks
// follow, over any number of other such steps. All orders that are added lead from a task to one of
// a later round, or of the same round and a higher number, so they close no circle.
TaskGraph leave_out_done(const TaskGraph& graph, const ChangePlaces& places,
                         const std::vector<int>& rounds) {
    Pruning pruning = kept_tasks(graph, places);
    if (pruning.rest.tasks().size() == graph.tasks().size()) return graph;
    const auto before = kept_before(pruning);
    const auto place = [&](std::size_t task) { return std::tuple(rounds[task], task); };
    Tasks last_first(graph.tasks().size());
    std::iota(last_first.begin(), last_first.end(), 0);
    std::ranges::sort(last_first, std::greater{}, place);
    std::vector<Tasks> behind(graph.tasks().size());
    for (const std::size_t task : last_first) {
        Tasks followers;
        for (const std::size_t follower : graph.followers(task)) {
            const Tasks& after = pruning.kept[follower] ? Tasks{follower} : behind[follower];
            followers.insert(followers.end(), after.begin(), after.end());
        }
        std::ranges::sort(followers, {}, place);
        const auto repeats = std::ranges::unique(followers);
        followers.erase(repeats.begin(), repeats.end());
        if (pruning.kept[task]) {
            pruning.order(task, followers);
            continue;
        }
        if (before[task] * followers.size() > most_direct_orders) {
            pruning.order(followers.front(), std::span(followers).subspan(1));
            followers.resize(1);
        }
        behind[task] = std::move(followers);
    }
    return std::move(pruning.rest);
}

}  // namespace provisioner::planner
