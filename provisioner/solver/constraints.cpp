#include "provisioner/solver/constraints.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;

using NameSet = std::unordered_set<std::string_view>;

long members_in(const Names& group, const NameSet& names) {
    return std::count_if(group.begin(), group.end(),
                         [&](const auto& name) { return names.contains(name); });
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
    const NameSet on_node(node_services.begin(), node_services.end());
    for (const auto& group : constraints.cant_coexist) {
        const auto size = static_cast<long>(group.size());
        if (size > 0 && members_in(group, on_node) == size) return false;
    }
    if (constraints.must_coexist.empty()) return true;
    const NameSet on_cluster(cluster_services.begin(), cluster_services.end());
    for (const auto& group : constraints.must_coexist) {
        const long here = members_in(group, on_node);
        if (here > 0 && here != members_in(group, on_cluster)) return false;
    }
    return true;
}

bool may_run_on_its_machine(const model::Constraints& constraints, const NodeGroup& node) {
    const NameSet on_node(node.services.begin(), node.services.end());
    for (const auto& [service, rule] : constraints.services) {
        if (!on_node.contains(service)) continue;
        if (!allows(rule.hardware_types, node.hardware_type)) return false;
        if (!allows(rule.image_types, node.image_type)) return false;
    }
    return true;
}

model::Constraints with_limits_of_counts(model::Constraints constraints,
                                         const std::vector<std::string>& services) {
    long most = services.empty() ? model::no_maximum : 0;
    int least = constraints.size_min;
    for (const std::string& service : std::set<std::string>(services.begin(), services.end())) {
        const auto rule =
            std::ranges::find(constraints.services, service,
                              &std::pair<std::string, model::ServiceConstraint>::first);
        const bool is_bound =
            rule != constraints.services.end() && rule->second.max != model::no_maximum;
        most = is_bound && most != model::no_maximum ? most + rule->second.max : model::no_maximum;
        if (rule != constraints.services.end()) least = std::max(least, rule->second.min);
    }
    most = std::min<long>(most, constraints.size_max);
    if (least > most) return constraints;
    constraints.size_min = least;
    constraints.size_max = static_cast<int>(most);
    return constraints;
}

long nodes_with(const std::string& service, const std::vector<NodeGroup>& groups) {
    long nodes = 0;
    for (const auto& group : groups) {
        if (contains(group.services, service)) nodes += group.count;
    }
    return nodes;
}

std::unordered_map<std::string_view, long> nodes_by_service(const std::vector<NodeGroup>& groups) {
    std::unordered_map<std::string_view, long> nodes;
    for (const auto& group : groups) {
        for (const auto name : NameSet(group.services.begin(), group.services.end())) {
            nodes[name] += group.count;
        }
    }
    return nodes;
}

bool quantities_hold(const model::Constraints& constraints,
                     const std::vector<std::string>& cluster_services,
                     const ClusterLayout& layout) {
    const NameSet on_cluster(cluster_services.begin(), cluster_services.end());
    const auto all_nodes = nodes_by_service(layout.groups);
    for (const auto& [service, rule] : constraints.services) {
        if (!on_cluster.contains(service)) continue;
        const auto found = all_nodes.find(service);
        const long nodes = found == all_nodes.end() ? 0 : found->second;
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
