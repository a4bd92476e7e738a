#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// What to do with the services of a cluster.
struct ServiceAction {
    /// start_services, stop_services or restart_services.
    model::Operation operation = model::Operation::start_services;
    /// Nothing: all of them.
    std::optional<std::string> service;
    /// Fields of the provider given with it.
    base::Json provider_fields = base::Json::object();
};

/// Plans and queues a start, stop or restart of all services of an active cluster, or
/// of one and those that go with it: starting takes along what it needs, stopping and restarting
/// who needs it. Refused with not_found ("cluster <id> does not exist", "service <s> does not exist
/// on cluster <id>"), or conflict in any other status.
Result<void> act_on_services(store::Database& database, const model::Caller& caller,
                             model::ClusterId cluster, const ServiceAction& action,
                             base::Timestamp now);

}  // namespace provisioner::operations
