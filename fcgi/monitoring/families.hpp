#pragma once

#include <chrono>

#include "provisioner/metrics/family.hpp"
#include "provisioner/operations/daemons/retention.hpp"
#include "provisioner/store/monitoring/monitoring_store.hpp"

namespace fcgi::monitoring {

/// What the database says, as families of metrics. `retention` tells by how much deleting is
/// behind. A daemon that is not alive keeps cooperage_daemon_up and its heartbeat's age, and loses
/// what it counted itself. Pure.
provisioner::metrics::Families families_of(const provisioner::store::WatchedNumbers& numbers,
                                           const provisioner::operations::Retention& retention);

/// What the connections of this process to the database do.
provisioner::metrics::Families families_of(const provisioner::store::Database& database);

}  // namespace fcgi::monitoring
