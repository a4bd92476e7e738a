#include "provisioner/solver/constraints.hpp"

#include <algorithm>
#include <set>

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;

long members_in(const Names& group, const Names& names) {
    return std::count_if(group.begin(), group.end(),
                         [&](const auto& name) { return contains(names, name); });
}

}  // namespace

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool contains_sorted(const std::vector<std::string>& sorted, const std::string& name) {
    return std::binary_search(sorted.begin(), sorted.end(), name);
}

bool allows(const std::vector<std::string>& allowed, const std::string& name) {
    return allowed.empty() || contains(allowed, name);
}

std::vector<std::string> unconstrained_services(const model::Constraints& constraints,
                                                const std::vector<std::string>& services) {
    std::set<std::string> constrained;
    for (const auto& entry : constraints.services) constrained.insert(entry.first);
    for (const auto* groups : {&constraints.must_coexist, &constraints.cant_coexist}) {
        for (const auto& group : *groups) constrained.insert(group.begin(), group.end());
    }
    std::set<std::string> free;
    for (const auto& name : services) {
        if (!constrained.contains(name)) free.insert(name);
    }
    return {free.begin(), free.end()};
}

bool may_share_a_node(const model::Constraints& constraints,
                      const std::vector<std::string>& cluster_services,
                      const std::vector<std::string>& node_services) {
    for (const auto& group : constraints.cant_coexist) {
        const auto size = static_cast<long>(group.size());
        if (size > 0 && members_in(group, node_services) == size) return false;
    }
    for (const auto& group : constraints.must_coexist) {
        const long here = members_in(group, node_services);
        if (here > 0 && here != members_in(group, cluster_services)) return false;
    }
    return true;
}

bool may_run_on_its_machine(const model::Constraints& constraints, const NodeGroup& node) {
    for (const auto& [service, rule] : constraints.services) {
        if (!contains(node.services, service)) continue;
        if (!allows(rule.hardware_types, node.hardware_type)) return false;
        if (!allows(rule.image_types, node.image_type)) return false;
    }
    return true;
}

long nodes_with(const std::string& service, const std::vector<NodeGroup>& groups) {
    long nodes = 0;
    for (const auto& group : groups) {
        if (contains(group.services, service)) nodes += group.count;
    }
    return nodes;
}

bool quantities_hold(const model::Constraints& constraints,
                     const std::vector<std::string>& cluster_services,
                     const ClusterLayout& layout) {
    for (const auto& [service, rule] : constraints.services) {
        if (!contains(cluster_services, service)) continue;
        const long nodes = nodes_with(service, layout.groups);
        if (nodes < rule.min || nodes > rule.max) return false;
    }
    return true;
}

bool is_acceptable(const model::Constraints& constraints,
                   const std::vector<std::string>& cluster_services, const ClusterLayout& layout) {
    for (const auto& group : layout.groups) {
        if (!may_share_a_node(constraints, cluster_services, group.services)) return false;
        if (!may_run_on_its_machine(constraints, group)) return false;
    }
    return quantities_hold(constraints, cluster_services, layout);
}

}  // namespace provisioner::solver
