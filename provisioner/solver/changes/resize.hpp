#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// A request to remove nodes from an existing cluster, by number of nodes or by name.
struct ShrinkProblem {
    /// The template as frozen in the cluster's snapshot.
    model::ClusterTemplate cluster_template;
    /// All nodes of the cluster.
    std::vector<PresentNode> nodes;
    /// How many nodes to remove, >= 1. Ignored when `named` is not empty.
    int count = 1;
    /// Numbers of the nodes to remove; empty lets the solver choose. Repeats are ignored.
    std::vector<int> named{};
    /// Numbers of the nodes that the solver may choose; nothing: all. Ignored when `named` is not
    /// empty.
    std::optional<std::set<int>> among{};
};

/// The numbers of the nodes to remove, highest first, or why they cannot be removed.
///
/// Without names, the newest nodes are tried first. A node stays if a service would otherwise fall
/// below its minimum or vanish. It stays too if too few other nodes could go after it. With names,
/// exactly these nodes go; a service without a minimum may then vanish. The remaining nodes do not
/// change. The cluster keeps at least one node and its template's minimum size.
///
/// Gives up after `max_steps` steps of search; named nodes need no search.
base::expected<std::vector<int>, Unsatisfiable> shrink(const ShrinkProblem& problem,
                                                       long max_steps = 200'000);

/// Why a node should stay when a cluster shrinks.
struct StayingReason {
    /// A sentence.
    std::string sentence;
    /// Whether no choice of nodes can remove it. Otherwise the nodes that need it have to go too.
    bool is_final = false;

    bool operator==(const StayingReason&) const = default;
};

/// By number, the nodes that cannot be removed alone, with a reason each. Of `problem` the template
/// and the nodes are read. `all_services`: definitions of the services on the cluster.
std::map<int, StayingReason> staying_nodes(const ShrinkProblem& problem,
                                           const std::vector<model::Service>& all_services);

/// Whether some node can be removed, alone or with others: not each has a final reason to stay. Of
/// `problem` the template and the nodes are read.
bool can_any_go(const ShrinkProblem& problem);

/// A request to remove services from all nodes of an existing cluster.
struct RemovalProblem {
    /// All nodes of the cluster.
    std::vector<PresentNode> nodes;
    /// Names of the services to remove; must not be empty.
    std::vector<std::string> services;
    /// Definitions of the services on the cluster, for their requirements. A service without a
    /// definition requires nothing.
    std::vector<model::Service> all_services;
};

/// The numbers of the nodes that lose services, lowest first, or all reasons against the removal.
///
/// Refused when a service is not on the cluster, or when a remaining service requires it. Refused
/// too when a node would be left without services. Constraints are not checked: rules about absent
/// services say nothing, so the remaining services keep theirs.
base::expected<std::vector<int>, Unsatisfiable> remove_services(const RemovalProblem& problem);

/// The group of one node that replaces `dead`: the same types, and its services as listed there.
///
/// Refused unless both types still exist, the template allows them, and the provider has a setting
/// for each. Services are not checked. Of `problem` only the template, the provider and the
/// catalogue's types are read.
base::expected<NodeGroup, Unsatisfiable> replacement(LayoutProblem problem,
                                                     const PresentNode& dead);

}  // namespace provisioner::solver
