#include "provisioner/solver/constraints.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace provisioner::solver {

namespace {

using Names = std::vector<std::string>;

using NameSet = std::unordered_set<std::string_view>;

long members_in(const Names& group, const NameSet& names) {
    return std::count_if(group.begin(), group.end(),
                         [&](const auto& name) { return names.contains(name); });
}

/// Services that are on the same nodes, by must_coexist, and how many nodes these can be.
struct Block {
    long least = 0;
    long most = model::no_maximum;
};

/// The block of each service of a cluster.
class Blocks {
 public:
    Blocks(const model::Constraints& constraints, const Names& services) {
        for (const std::string& service : services) {
            block_of_.try_emplace(service, parents_.size());
            if (block_of_.size() > parents_.size()) parents_.push_back(parents_.size());
        }
        for (const auto& group : constraints.must_coexist) join(group);
        for (std::size_t i = 0; i < parents_.size(); ++i) blocks_.try_emplace(root_of(i));
        for (const auto& [service, rule] : constraints.services) {
            const auto found = block_of_.find(service);
            if (found == block_of_.end()) continue;
            Block& block = blocks_.at(root_of(found->second));
            block.least = std::max<long>(block.least, rule.min);
            block.most = std::min<long>(block.most, rule.max);
        }
    }

    const std::map<std::size_t, Block>& all() const { return blocks_; }

    /// The blocks of these services; nothing if one of them is not on the cluster.
    std::set<std::size_t> of(const Names& group) {
        std::set<std::size_t> roots;
        for (const std::string& service : group) {
            const auto found = block_of_.find(service);
            if (found == block_of_.end()) return {};
            roots.insert(root_of(found->second));
        }
        return roots;
    }

 private:
    std::size_t root_of(std::size_t at) {
        while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
        return at;
    }

    void join(const Names& group) {
        std::optional<std::size_t> first;
        for (const std::string& service : group) {
            const auto found = block_of_.find(service);
            if (found == block_of_.end()) continue;
            if (first) parents_[root_of(found->second)] = root_of(*first);
            if (!first) first = found->second;
        }
    }

    std::unordered_map<std::string_view, std::size_t> block_of_{};
    std::vector<std::size_t> parents_{};
    std::map<std::size_t, Block> blocks_{};
};

/// The nodes of blocks of which no two share a node, added up: of the largest, and of each next one
/// that may share a node with none of those before it.
long apart(const std::map<std::size_t, Block>& blocks,
           const std::set<std::pair<std::size_t, std::size_t>>& pairs) {
    std::vector<std::pair<long, std::size_t>> by_size;
    for (const auto& [root, block] : blocks) by_size.emplace_back(-block.least, root);
    std::ranges::sort(by_size);
    std::vector<std::size_t> taken;
    long sum = 0;
    for (const auto& [size, root] : by_size) {
        if (size == 0) break;
        const bool is_apart = std::ranges::all_of(
            taken, [&](std::size_t other) { return pairs.contains(std::minmax(root, other)); });
        if (!is_apart) continue;
        taken.push_back(root);
        sum -= size;
    }
    return sum;
}

/// How many nodes the counts of services need that must not share a node.
long least_apart(const model::Constraints& constraints, Blocks& blocks) {
    long least = 0;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& group : constraints.cant_coexist) {
        const auto members = blocks.of(group);
        if (members.size() < 2) continue;
        if (members.size() == 2) pairs.emplace(*members.begin(), *members.rbegin());
        // Each node lacks one of them.
        long sum = 0;
        for (const std::size_t root : members) sum += blocks.all().at(root).least;
        const long at_once = std::ssize(members) - 1;
        least = std::max(least, (sum + at_once - 1) / at_once);
    }
    return std::max(least, apart(blocks.all(), pairs));
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

SizeLimits limits_of_rules(const model::Constraints& constraints,
                           const std::vector<std::string>& services) {
    Blocks blocks(constraints, services);
    long most = services.empty() ? model::no_maximum : 0;
    long least = std::max<long>(constraints.size_min, least_apart(constraints, blocks));
    for (const auto& [root, block] : blocks.all()) {
        const bool is_bound = block.most != model::no_maximum && most != model::no_maximum;
        most = is_bound ? most + block.most : model::no_maximum;
        least = std::max(least, block.least);
    }
    return {.least = least, .most = std::min<long>(most, constraints.size_max)};
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
