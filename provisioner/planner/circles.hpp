#pragma once

#include "provisioner/base/problem.hpp"
#include "provisioner/planner/scope.hpp"

namespace provisioner::planner {

/// A Problem for every circle of dependencies that leaves the operation no order, naming its
/// services. Circles of services that have nothing to put in order are no problem.
base::Problems circles(const Scope& scope);

}  // namespace provisioner::planner
