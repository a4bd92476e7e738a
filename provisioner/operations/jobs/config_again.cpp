#include "provisioner/operations/jobs/config_again.hpp"

#include <map>
#include <string>
#include <tuple>

#include "provisioner/planner/plan.hpp"

namespace provisioner::operations {

namespace {

using model::Action;
using model::NodeId;
using model::Task;
using model::TaskId;
using model::TaskState;
using planner::TaskKey;

/// More orders than this between new tasks and remaining ones go over one of the latter.
constexpr std::size_t most_direct_orders = 4096;

/// How far a service has come on one machine.
struct Place {
    bool configured = false;
    bool begun = false;
};
using Places = std::map<std::string, Place>;

std::map<NodeId, Places> places_in(const std::vector<Task>& tasks) {
    std::map<NodeId, Places> places;
    for (const Task& task : tasks) {
        // The last one counts: an earlier change may have configured it again.
        if (task.action == Action::configure) {
            places[task.node][task.service].configured = task.state == TaskState::done;
        }
        if (task.action == Action::start && task.attempt > 0) {
            places[task.node][task.service].begun = true;
        }
    }
    return places;
}

std::vector<std::string> begun_among(const Places& places) {
    std::vector<std::string> begun;
    for (const auto& [service, place] : places) {
        if (place.begun) begun.push_back(service);
    }
    return begun;
}

/// Those that can be done at once: none that they wait for remains.
std::vector<TaskId> first_remaining(const std::vector<Task>& tasks, const TaskEdges& edges,
                                    const std::vector<TaskId>& replaced) {
    std::set<TaskId> remaining;
    for (const Task& task : tasks) {
        if (task.state != TaskState::done) remaining.insert(task.id);
    }
    for (const TaskId task : replaced) remaining.erase(task);
    std::set<TaskId> first = remaining;
    for (const auto& [before, after] : edges) {
        if (remaining.contains(before)) first.erase(after);
    }
    return {first.begin(), first.end()};
}

/// Those that the graph does again.
std::vector<TaskId> replaced_by(const planner::TaskGraph& graph,
                                const std::vector<model::Node>& nodes,
                                const std::vector<Task>& tasks) {
    std::set<std::tuple<NodeId, Action, std::string>> again;
    for (const TaskKey& key : graph.tasks()) {
        again.emplace(nodes[key.node].id, key.action, key.service);
    }
    std::vector<TaskId> replaced;
    for (const Task& task : tasks) {
        const bool is_done_again = again.contains({task.node, task.action, task.service});
        if (is_done_again && !task.is_replaced()) replaced.push_back(task.id);
    }
    return replaced;
}

/// Tasks of the graph that no other one of it waits for.
std::vector<std::size_t> last_of(const planner::TaskGraph& graph) {
    std::vector<std::size_t> last;
    for (std::size_t task = 0; task < graph.tasks().size(); ++task) {
        if (graph.followers(task).empty()) last.push_back(task);
    }
    return last;
}

/// The services in `places` are configured after the tasks `earlier` of their node.
void add_configurations(planner::TaskGraph& graph, std::size_t node, const Places& places,
                        std::vector<std::size_t> earlier) {
    for (const auto& [service, place] : places) {
        if (!place.configured || place.begun) continue;
        const auto added = graph.add(TaskKey{node, Action::configure, service});
        for (const std::size_t task : earlier) graph.order(task, added);
        earlier = {added};
    }
}

}  // namespace

base::Checked<ConfigAgain> configure_again(const std::vector<model::Node>& nodes,
                                           const std::vector<model::Service>& services,
                                           const std::vector<Task>& tasks, const TaskEdges& edges) {
    const auto places = places_in(tasks);
    planner::PlanRequest restart{.operation = model::Operation::cluster_configure_with_restart,
                                 .nodes = {},
                                 .services = services,
                                 .only_nodes = {},
                                 .only_services = {}};
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        planner::PlannedNode place{.name = nodes[node].hostname, .services = {}};
        const auto found = places.find(nodes[node].id);
        if (found != places.end()) place.services = begun_among(found->second);
        if (!place.services.empty()) restart.only_nodes.push_back(node);
        restart.nodes.push_back(std::move(place));
    }
    ConfigAgain again;
    if (!restart.only_nodes.empty()) {
        auto graph = planner::plan(restart);
        if (!graph) return base::unexpected(graph.error());
        again.graph = *std::move(graph);
    }
    std::vector<std::vector<std::size_t>> planned(nodes.size());
    for (std::size_t task = 0; task < again.graph.tasks().size(); ++task) {
        planned[again.graph.tasks()[task].node].push_back(task);
    }
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const auto found = places.find(nodes[node].id);
        if (found == places.end()) continue;
        add_configurations(again.graph, node, found->second, std::move(planned[node]));
    }
    again.replaced = replaced_by(again.graph, nodes, tasks);
    const auto begins = first_remaining(tasks, edges, again.replaced);
    const auto last = last_of(again.graph);
    const bool is_small = last.size() * begins.size() <= most_direct_orders;
    for (const TaskId begin : begins) {
        const bool is_relayed = !is_small && begin != begins.front();
        if (is_relayed) again.relayed.emplace_back(begins.front(), begin);
        for (const std::size_t task : is_relayed ? std::vector<std::size_t>() : last) {
            again.orders.emplace_back(task, begin);
        }
    }
    return again;
}

}  // namespace provisioner::operations
