#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/planner/scope.hpp"

namespace provisioner::planner {

/// One Problem for each circle of dependencies that leaves the operation no order, with the
/// services in it. Empty when an order exists. A circle counts only if two of its services define
/// the same action and the operation orders that action. Install circles come before runtime
/// circles.
base::Problems circles(const Scope& scope);

/// The circles that would prevent a cluster with all of these services from being created, stopped
/// or started. `through` restricts the answer to circles with that service; empty means all
/// circles.
///
/// Catalogue operations call it before they save a service or template, so the author gets the
/// refusal. Throws std::logic_error if the services cannot form a scope. Cost: two scopes, each
/// quadratic in the number of services.
base::Problems circles_among(const std::vector<model::Service>& services,
                             const std::string& through = "");

/// The same circles by the services that take part in them; at the cost of one call.
std::map<std::string, base::Problems> circles_by_service(
    const std::vector<model::Service>& services);

}  // namespace provisioner::planner
