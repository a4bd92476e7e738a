#pragma once

#include <string>

#include "provisioner/planner/plan.hpp"

namespace tests {

/// The orders of a plan as `draw` shows them, worked out step by step from the written rules and
/// with no regard to cost: a second opinion for the planner. Only for relations without circles.
std::string reference_orders(const provisioner::planner::PlanRequest& request);

}  // namespace tests
