#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace provisioner::simulation {

/// A number in [0, 1) that depends on its arguments and on nothing else: the same seed gives the
/// same run. `what` names the decision, `who` the machine or step, `attempt` counts from 0.
double chance(std::int64_t seed, std::string_view what, std::string_view who, int attempt = 0);

/// Whether a thing that happens `percent` times in a hundred happens with this draw of [0, 1).
bool happens(int percent, double draw);

/// Evenly between `middle` - `spread` and `middle` + `spread`, never below zero, by a draw of
/// [0, 1).
std::chrono::milliseconds spread_around(std::chrono::milliseconds middle,
                                        std::chrono::milliseconds spread, double draw);

}  // namespace provisioner::simulation
