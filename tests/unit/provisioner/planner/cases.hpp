#pragma once

#include <string>
#include <vector>

#include "provisioner/planner/plan.hpp"

namespace tests {

/// Sorted lines as `draw` makes them from a shorter notation: "a, b -> c -> d" stands for
/// "a -> c", "b -> c" and "c -> d". Equal lines are one.
std::string orders(const std::vector<std::string>& chains);

/// `service`, needing these others at run time (at install time).
provisioner::model::Service needing(provisioner::model::Service service,
                                    const std::vector<std::string>& others);
provisioner::model::Service needing_to_install(provisioner::model::Service service,
                                               const std::vector<std::string>& others);

/// Nodes n1, n2, ... with these services.
std::vector<provisioner::planner::PlannedNode> nodes_with(
    const std::vector<std::vector<std::string>>& services);

}  // namespace tests
