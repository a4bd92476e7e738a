#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace provisioner::simulation {

/// A pseudo-random number in [0, 1) that depends on its arguments alone. So equal seeds give equal
/// runs, in any order of events and in any process. A generator with state could not do that.
///
/// `what` names the decision, `who` the machine or step. `attempt` counts from 0 and makes repeated
/// decisions independent. Method: FNV-1a over the names, then the mixing step of SplitMix64. Not
/// for secrets.
double chance(std::int64_t seed, std::string_view what, std::string_view who, int attempt = 0);

/// Whether an event of `percent` in a hundred happens with this draw from [0, 1): 0 is never, 100
/// always.
bool happens(int percent, double draw);

/// A time evenly distributed from `middle` - `spread` to `middle` + `spread`, but never below zero.
/// `draw` is in [0, 1).
std::chrono::milliseconds spread_around(std::chrono::milliseconds middle,
                                        std::chrono::milliseconds spread, double draw);

}  // namespace provisioner::simulation
