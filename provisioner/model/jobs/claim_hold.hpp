#pragma once

#include <chrono>

namespace provisioner::model {

/// How long a claim holds without being renewed. So also how long a daemon may be silent: after
/// that it is dead for everybody, because others may take its tasks. A daemon renews its claims and
/// sends a heartbeat every 4 s (daemon/timing.hpp).
constexpr std::chrono::seconds claim_hold{15};

}  // namespace provisioner::model
