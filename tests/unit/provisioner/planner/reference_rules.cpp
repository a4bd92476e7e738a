#include "tests/unit/provisioner/planner/reference_rules.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/drawing.hpp"

namespace tests {

namespace {

using namespace provisioner::model;
using namespace provisioner::planner;
using Names = std::set<std::string>;
using Relation = std::map<std::string, Names>;

struct Rules {
    const PlanRequest& request;
    std::map<std::string, const Service*> services;
    Relation install;
    Relation runtime;

    bool defines(const std::string& name, Action action) const {
        return services.at(name)->actions.contains(action);
    }

    bool is_on(std::size_t node, const std::string& name) const {
        const auto& names = request.nodes[node].services;
        return std::ranges::find(names, name) != names.end();
    }
};

/// Step 1 and 3: what a name stands for on this cluster.
Names meant_by(const Rules& rules, const std::string& asking, const std::string& name) {
    Names providers;
    for (const auto& [other, service] : rules.services) {
        const auto& provided = service->dependencies.provides;
        const bool provides = std::ranges::find(provided, name) != provided.end();
        if (other != asking && provides) providers.insert(other);
    }
    if (providers.empty() && name != asking && rules.services.contains(name)) return {name};
    return providers;
}

Names reachable(const Relation& relation, const std::string& from) {
    Names found;
    for (const auto& next : relation.at(from)) {
        found.insert(next);
        found.merge(reachable(relation, next));
    }
    return found;
}

Names without_covered(const Relation& relation, const Names& names) {
    Names kept = names;
    for (const auto& name : names) {
        for (const auto& covered : reachable(relation, name)) kept.erase(covered);
    }
    return kept;
}

Relation relation_of(const Rules& rules, DependencyNames Dependencies::*kind) {
    Relation direct;
    for (const auto& [name, service] : rules.services) {
        const DependencyNames& names = service->dependencies.*kind;
        direct[name] = {};
        for (const auto& other : names.required) direct[name].merge(meant_by(rules, name, other));
        for (const auto& other : names.used) direct[name].merge(meant_by(rules, name, other));
    }
    Relation minimal;
    for (const auto& [name, others] : direct) minimal[name] = without_covered(direct, others);
    return minimal;
}

/// Step 4.
Names looked_through(const Rules& rules, const Relation& relation, const std::string& name,
                     Action action) {
    Names found;
    for (const auto& other : relation.at(name)) {
        if (rules.defines(other, action)) {
            found.insert(other);
        } else {
            found.merge(looked_through(rules, relation, other, action));
        }
    }
    return found;
}

Rules rules_of(const PlanRequest& request) {
    Rules rules{.request = request, .services = {}, .install = {}, .runtime = {}};
    for (const auto& service : request.services) {
        for (std::size_t node = 0; node < request.nodes.size(); ++node) {
            const auto& name = service.header.name;
            if (rules.is_on(node, name)) rules.services[name] = &service;
        }
    }
    rules.install = relation_of(rules, &Dependencies::install);
    rules.runtime = relation_of(rules, &Dependencies::runtime);
    return rules;
}

bool is_taken_along(const Rules& rules, const std::string& candidate, const std::string& named) {
    const auto operation = rules.request.operation;
    if (operation == Operation::start_services) {
        return reachable(rules.runtime, named).contains(candidate);
    }
    const bool stops =
        operation == Operation::stop_services || operation == Operation::restart_services;
    return stops && reachable(rules.runtime, candidate).contains(named);
}

Names planned_services(const Rules& rules) {
    Names planned;
    const auto& named = rules.request.only_services;
    for (const auto& [name, service] : rules.services) {
        if (named.empty()) planned.insert(name);
        for (const auto& one : named) {
            if (name == one || is_taken_along(rules, name, one)) planned.insert(name);
        }
    }
    return planned;
}

std::set<std::size_t> planned_nodes(const PlanRequest& request) {
    std::set<std::size_t> planned(request.only_nodes.begin(), request.only_nodes.end());
    if (!planned.empty()) return planned;
    for (std::size_t node = 0; node < request.nodes.size(); ++node) planned.insert(node);
    return planned;
}

struct Letter {
    const Rules& rules;
    Names services;
    std::set<std::size_t> nodes;
    TaskGraph graph;

    bool does(Action action) const {
        const auto actions = actions_of(rules.request.operation);
        return std::ranges::find(actions, action) != actions.end();
    }

    void walk(std::size_t node, const std::string& name) {
        TaskKey previous;
        bool is_first = true;
        for (const Action action : actions_of(rules.request.operation)) {
            const bool hardware = is_hardware_action(action);
            if (!hardware && (name.empty() || !rules.defines(name, action))) continue;
            const TaskKey task{node, action, hardware ? "" : name};
            graph.add(task);
            if (!is_first) graph.order(previous, task);
            previous = task;
            is_first = false;
        }
    }

    void wait(const std::string& waiting, Action action, const std::string& awaited, Action other) {
        for (const std::size_t node : nodes) {
            if (!rules.is_on(node, waiting)) continue;
            for (std::size_t far = 0; far < rules.request.nodes.size(); ++far) {
                if (!rules.is_on(far, awaited)) continue;
                graph.order({far, other, awaited}, {node, action, waiting});
            }
        }
    }

    void order(const Relation& relation, Action waiting, Action awaited) {
        for (const auto& name : services) {
            if (!does(waiting) || !rules.defines(name, waiting)) continue;
            const auto found = looked_through(rules, relation, name, awaited);
            for (const auto& other : without_covered(relation, found)) {
                if (waiting == Action::install && !services.contains(other)) continue;
                wait(name, waiting, other, awaited);
            }
        }
    }

    void order_stops() {
        for (const auto& [name, service] : rules.services) {
            if (!does(Action::stop) || !rules.defines(name, Action::stop)) continue;
            const auto found = looked_through(rules, rules.runtime, name, Action::stop);
            for (const auto& other : without_covered(rules.runtime, found)) {
                if (services.contains(other)) wait(other, Action::stop, name, Action::stop);
            }
        }
    }

    /// Not of the original: there stages are barriers, so that all nodes had their addresses.
    void await_addresses() {
        const TaskGraph so_far = graph;
        for (std::size_t task = 0; task < so_far.tasks().size(); ++task) {
            if (so_far.tasks()[task].service.empty() || follows_a_service(so_far, task)) continue;
            for (const std::size_t node : nodes) {
                const TaskKey confirm{node, Action::confirm, ""};
                if (so_far.find(confirm)) graph.order(confirm, so_far.tasks()[task]);
            }
        }
    }

    static bool follows_a_service(const TaskGraph& graph, std::size_t task) {
        for (std::size_t before = 0; before < graph.tasks().size(); ++before) {
            const auto& after = graph.followers(before);
            const bool ordered = std::ranges::find(after, task) != after.end();
            if (ordered && !graph.tasks()[before].service.empty()) return true;
        }
        return false;
    }
};

}  // namespace

std::string reference_orders(const PlanRequest& request) {
    const Rules rules = rules_of(request);
    Letter letter{.rules = rules,
                  .services = planned_services(rules),
                  .nodes = planned_nodes(request),
                  .graph = {}};
    for (const std::size_t node : letter.nodes) {
        if (request.only_services.empty()) letter.walk(node, "");
        for (const auto& name : request.nodes[node].services) {
            if (letter.services.contains(name)) letter.walk(node, name);
        }
    }
    letter.order(rules.install, Action::install, Action::install);
    letter.order(rules.runtime, Action::initialize, Action::start);
    letter.order(rules.runtime, Action::start, Action::start);
    letter.order_stops();
    letter.await_addresses();
    return draw(letter.graph);
}

}  // namespace tests
