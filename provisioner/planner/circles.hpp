#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/planner/scope.hpp"

namespace provisioner::planner {

/// A Problem for every circle of dependencies that leaves the operation no order, naming its
/// services. Circles of services that have nothing to put in order are no problem.
base::Problems circles(const Scope& scope);

/// The circles that would leave a cluster with all of these services on it no order to be created,
/// stopped or started in; only those `through` takes part in, unless it is empty. What a cluster of
/// these services would be refused for, known when they are saved.
base::Problems circles_among(const std::vector<model::Service>& services,
                             const std::string& through = "");

}  // namespace provisioner::planner
