#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

// The rules of a template, evaluated literally on names. The search checks the same rules on sets
// of bits (layout/kinds) and must agree with these functions. lay_out() checks every answer with
// them before it is given. They also judge layouts that exist already. Lists of names need no order
// unless a comment says so. All functions are pure; costs grow with the sum of list lengths.

/// Whether `name` is in `names`. Linear.
bool contains(const std::vector<std::string>& names, const std::string& name);

/// Whether `name` is in `sorted`, which must be in ascending order. Logarithmic.
bool contains_sorted(const std::vector<std::string>& sorted, const std::string& name);

/// Whether a list of allowed names admits `name`. An empty list admits every name.
bool allows(const std::vector<std::string>& allowed, const std::string& name);

/// The services that no rule mentions: they have no entry of their own and are in no group. Sorted,
/// without repeats. A layout puts them on every node.
std::vector<std::string> unconstrained_services(const model::Constraints& constraints,
                                                const std::vector<std::string>& services);

/// Whether a node with these services keeps the group rules of `constraints`:
/// * No cannot-coexist group is complete on the node.
/// * Of each must-coexist group the node has all members that are on the cluster, or none.
///
/// An empty group forbids nothing. `cluster_services` holds all services of the cluster, those of
/// the node included.
bool may_share_a_node(const model::Constraints& constraints,
                      const std::vector<std::string>& cluster_services,
                      const std::vector<std::string>& node_services);

/// Whether each service of the node allows the node's hardware type and image type. `count` is not
/// read.
bool may_run_on_its_machine(const model::Constraints& constraints, const NodeGroup& node);

/// How many nodes a cluster can have. There may still be sizes between the limits without a layout.
struct SizeLimits {
    long least = 0;
    long most = 0;

    /// Otherwise no size is possible.
    [[nodiscard]] bool leave_any() const { return least <= most; }
};

/// The limits of the size that all constraints leave to a cluster of these services. Services that
/// must coexist are on as many nodes as the narrowest count of one of them allows. Each node has
/// one of the services, so there are at most as many nodes as their greatest counts come to, if all
/// have one; at least as many as those need that must not share a node. O(s^2 log s) for s services
/// at the most; no search.
SizeLimits limits_of_rules(const model::Constraints& constraints,
                           const std::vector<std::string>& services);

/// Number of nodes that have the service: the sum of `count` over the groups that list it.
long nodes_with(const std::string& service, const std::vector<NodeGroup>& groups);

/// The same for every service of the groups at once. The names refer to `groups`, which must
/// outlive the answer.
std::unordered_map<std::string_view, long> nodes_by_service(const std::vector<NodeGroup>& groups);

/// Whether each cluster service with an entry is on at least `min` and at most `max` nodes. Entries
/// of services that are not on the cluster are ignored.
bool quantities_hold(const model::Constraints& constraints,
                     const std::vector<std::string>& cluster_services, const ClusterLayout& layout);

/// Whether a whole layout keeps group rules, type rules and quantities. Does not check the
/// cluster's size limits, nor that unconstrained services are on every node. Callers:
/// add_services() for the present cluster, and the sync_template operation for a new template.
bool is_acceptable(const model::Constraints& constraints,
                   const std::vector<std::string>& cluster_services, const ClusterLayout& layout);

}  // namespace provisioner::solver
