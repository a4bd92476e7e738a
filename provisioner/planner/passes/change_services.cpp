#include "provisioner/planner/passes/change_services.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace provisioner::planner {

namespace {

using model::Action;

constexpr std::array restarting{Action::stop, Action::configure, Action::start};
constexpr std::array configuring{Action::configure};
constexpr std::array taken_from_a_node{Action::stop, Action::remove};
constexpr std::array stopped_with_its_node{Action::stop};
constexpr std::array made_last_first{Action::start, Action::initialize, Action::configure,
                                     Action::install};
constexpr std::array prepared_last_first{Action::configure, Action::install};

void append(Tasks& tasks, const Tasks& more) {
    tasks.insert(tasks.end(), more.begin(), more.end());
}

/// The tasks for this action, service and these nodes that are already in the graph.
Tasks present(const TaskGraph& graph, Action action, const std::string& service,
              const std::vector<std::size_t>& nodes) {
    Tasks tasks;
    for (const std::size_t node : nodes) {
        if (const auto task = graph.find({node, action, service})) tasks.push_back(*task);
    }
    return tasks;
}

std::span<const Action> reconfiguring_actions(const ChangePlaces& places,
                                              const std::string& service) {
    return places.is_restarted(service) ? std::span<const Action>(restarting) : configuring;
}

/// The actions of `walk` that the service defines, in the same order.
std::vector<Action> defined(const ChangePlaces& places, const std::string& service,
                            std::span<const Action> walk) {
    std::vector<Action> actions;
    for (const Action action : walk) {
        if (places.defines(service, action)) actions.push_back(action);
    }
    return actions;
}

/// Those that the service defines, in their order.
std::vector<Action> last_actions(const ChangePlaces& places, std::size_t at,
                                 const std::string& service) {
    const ChangedNode& node = places.request.nodes[at];
    switch (node.membership) {
        case Membership::leaves:
            return defined(places, service, stopped_with_its_node);
        case Membership::dropped:
            return {};
        case Membership::stays:
        case Membership::joins:
        case Membership::resumes:
            break;
    }
    auto actions = defined(places, service, taken_from_a_node);
    const auto leaving = node.leaving.find(service);
    const auto& wanted =
        leaving == node.leaving.end() ? node.left_behind.at(service) : leaving->second;
    std::erase_if(actions, [&](Action action) { return !wanted.contains(action); });
    return actions;
}

/// On each node that gains the service, the first action of `walk` that the graph has a task for.
/// Walks run from the last action to the first, so this is the last task of the service there.
/// Without one: the node's bootstrap.
Tasks arrivals(const TaskGraph& graph, const ChangePlaces& places, const std::string& service,
               std::span<const Action> walk = made_last_first) {
    Tasks ends;
    for (const std::size_t node : ChangePlaces::in(places.arriving, service)) {
        std::optional<std::size_t> end;
        for (const Action action : walk) {
            if (!end) end = graph.find({node, action, service});
        }
        if (!end) end = graph.find({node, Action::bootstrap, ""});
        if (end) ends.push_back(*end);
    }
    return ends;
}

bool needs_restarted_service(const ChangePlaces& places, const std::string& service) {
    return std::ranges::any_of(places.dependents, [&](const std::string& other) {
        return other != service && places.is_restarted(other) && places.needs.needs(service, other);
    });
}

/// The tasks on joining nodes that `service`, which stays, must wait for: the services it needs.
/// Before a stop, a needed service that itself waits for a restart counts only as far as it is
/// configured. Waiting for its start would close a circle: stop, start, stop.
Tasks awaited_by(const TaskGraph& graph, const ChangePlaces& places, const std::string& service,
                 Action first) {
    Tasks before;
    for (const auto& [other, nodes] : places.arriving) {
        if (other == service || !places.needs.needs(service, other)) continue;
        const bool only_prepared = first == Action::stop && needs_restarted_service(places, other);
        append(before, only_prepared ? arrivals(graph, places, other, prepared_last_first)
                                     : arrivals(graph, places, other));
    }
    return before;
}

bool is_reconfigured(const ChangePlaces& places, const std::string& service) {
    return places.dependents.contains(service) || places.peers.contains(service);
}

/// On each node where the service stays, the last task that reconfigures it.
Tasks last_reconfiguring_tasks(const TaskGraph& graph, const ChangePlaces& places,
                               const std::string& service) {
    if (!is_reconfigured(places, service)) return {};
    const auto actions = defined(places, service, reconfiguring_actions(places, service));
    if (actions.empty()) return {};
    return present(graph, actions.back(), service, ChangePlaces::in(places.staying, service));
}

void chain(TaskGraph& graph, std::size_t node, const std::string& service,
           const std::vector<Action>& actions) {
    std::optional<std::size_t> previous;
    for (const Action action : actions) {
        const std::size_t task = graph.add({node, action, service});
        if (previous) graph.order(*previous, task);
        previous = task;
    }
}

void reconfigure(TaskGraph& graph, const ChangePlaces& places, const std::string& service,
                 Barriers barriers) {
    const auto actions = defined(places, service, reconfiguring_actions(places, service));
    if (actions.empty()) return;
    const auto& nodes = ChangePlaces::in(places.staying, service);
    for (const std::size_t node : nodes) chain(graph, node, service, actions);
    const Tasks at_first = awaited_by(graph, places, service, actions.front());
    add_barrier(graph, at_first, present(graph, actions.front(), service, nodes), barriers);
    if (actions.front() != Action::stop || actions.size() == 1) return;
    const Tasks then = awaited_by(graph, places, service, actions[1]);
    if (then == at_first) return;
    add_barrier(graph, then, present(graph, actions[1], service, nodes), barriers);
}

/// A stop waits for its dependents' stops; a start waits for its dependencies' starts.
void order_restarts(TaskGraph& graph, const ChangePlaces& places, const std::string& service,
                    Barriers barriers) {
    const auto& nodes = ChangePlaces::in(places.staying, service);
    Tasks stops;
    for (const auto& other : places.needed_by.awaited(service, Action::stop)) {
        append(stops, present(graph, Action::stop, other, ChangePlaces::in(places.staying, other)));
    }
    add_barrier(graph, stops, present(graph, Action::stop, service, nodes), barriers);
    Tasks starts;
    for (const auto& other : places.needs.awaited(service, Action::start)) {
        append(starts,
               present(graph, Action::start, other, ChangePlaces::in(places.staying, other)));
    }
    add_barrier(graph, starts, present(graph, Action::start, service, nodes), barriers);
}

/// What must be done before a service leaves any node. On joining nodes the service itself is
/// ready. Where it stays, it and its dependents are reconfigured.
Tasks awaited_before_leaving(const TaskGraph& graph, const ChangePlaces& places,
                             const std::string& service) {
    Tasks before = arrivals(graph, places, service);
    for (const auto& [other, nodes] : places.staying) {
        if (other == service || places.needs.needs(other, service)) {
            append(before, last_reconfiguring_tasks(graph, places, other));
        }
    }
    return before;
}

/// On each node the service leaves: its first task there, else the deletion of the machine.
Tasks departures(const TaskGraph& graph, const ChangePlaces& places, const std::string& service) {
    Tasks firsts;
    for (const std::size_t node : ChangePlaces::in(places.leaving, service)) {
        const auto actions = last_actions(places, node, service);
        const auto first = actions.empty() ? graph.find({node, Action::delete_machine, ""})
                                           : graph.find({node, actions.front(), service});
        if (first) firsts.push_back(*first);
    }
    return firsts;
}

void add_departures(TaskGraph& graph, const ChangePlaces& places) {
    for (std::size_t node = 0; node < places.request.nodes.size(); ++node) {
        const Membership membership = places.request.nodes[node].membership;
        if (membership == Membership::leaves || membership == Membership::dropped) {
            graph.add({node, Action::delete_machine, ""});
        }
    }
    for (const auto& [service, nodes] : places.leaving) {
        for (const std::size_t node : nodes) {
            const auto actions = last_actions(places, node, service);
            chain(graph, node, service, actions);
            const auto deletion = graph.find({node, Action::delete_machine, ""});
            if (deletion && !actions.empty()) {
                graph.order({node, actions.back(), service}, {node, Action::delete_machine, ""});
            }
        }
    }
}

}  // namespace

void reconfigure_what_stays(TaskGraph& graph, const ChangePlaces& places, Barriers barriers) {
    for (const auto& service : places.peers) reconfigure(graph, places, service, barriers);
    for (const auto& service : places.dependents) reconfigure(graph, places, service, barriers);
    for (const auto& service : places.dependents) order_restarts(graph, places, service, barriers);
}

void remove_what_leaves(TaskGraph& graph, const ChangePlaces& places, Barriers barriers) {
    add_departures(graph, places);
    for (const auto& [service, nodes] : places.leaving) {
        add_barrier(graph, awaited_before_leaving(graph, places, service),
                    departures(graph, places, service), barriers);
        Tasks stops;
        for (const auto& other : places.needed_by.awaited(service, Action::stop)) {
            append(stops,
                   present(graph, Action::stop, other, ChangePlaces::in(places.leaving, other)));
        }
        add_barrier(graph, stops, present(graph, Action::stop, service, nodes), barriers);
    }
}

}  // namespace provisioner::planner
