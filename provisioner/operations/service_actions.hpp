#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/job.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::operations {

/// Plans and queues a start, stop or restart (`operation`) of all services of an active cluster, or
/// of one and those that go with it: starting takes along what it needs, stopping and restarting
/// who needs it. Refused with not_found ("cluster <id> does not exist", "service <s> does not exist
/// on cluster <id>"), or conflict in any other status.
Result<void> act_on_services(store::Database& database, const model::Caller& caller,
                             model::ClusterId cluster, model::Operation operation,
                             const std::optional<std::string>& service, base::Timestamp now);

}  // namespace provisioner::operations
