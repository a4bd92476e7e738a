#pragma once

#include <string>
#include <vector>

#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::solver {

/// The rules of a template as they are written, asked about names. Lists of names need no order.
/// What the search does faster with sets of bits must agree with these; so do checks of layouts
/// that exist already.

/// Whether `name` is among `names`.
bool contains(const std::vector<std::string>& names, const std::string& name);

/// The same for names in order, in logarithmic time.
bool contains_sorted(const std::vector<std::string>& sorted, const std::string& name);

/// Whether a rule that allows these lets `name` be; an empty list allows everything.
bool allows(const std::vector<std::string>& allowed, const std::string& name);

/// Those of `services` no rule speaks about: without an entry of their own and in no group. Sorted.
/// They go on every node.
std::vector<std::string> unconstrained_services(const model::Constraints& constraints,
                                                const std::vector<std::string>& services);

/// Whether the services of a node may share it: it holds no whole cannot-coexist group, and of each
/// must-coexist group, as far as that is on the cluster, all or nothing. An empty group says
/// nothing.
bool may_share_a_node(const model::Constraints& constraints,
                      const std::vector<std::string>& cluster_services,
                      const std::vector<std::string>& node_services);

/// Whether each service of a node allows the node's hardware and image type.
bool may_run_on_its_machine(const model::Constraints& constraints, const NodeGroup& node);

/// On how many nodes of these groups the service is.
long nodes_with(const std::string& service, const std::vector<NodeGroup>& groups);

/// Whether each service of the cluster that has an entry is on as many nodes as that asks.
bool quantities_hold(const model::Constraints& constraints,
                     const std::vector<std::string>& cluster_services, const ClusterLayout& layout);

/// All of the above for a whole layout.
bool is_acceptable(const model::Constraints& constraints,
                   const std::vector<std::string>& cluster_services, const ClusterLayout& layout);

}  // namespace provisioner::solver
