#pragma once

#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// A request to start, stop or restart services of a cluster. fcgi/api/clusters and
/// fcgi/pages/clusters make it.
struct ServiceAction {
    /// start_services, stop_services or restart_services.
    model::Operation operation = model::Operation::start_services;
    /// Empty: all services of the cluster.
    std::vector<std::string> services{};
    /// Provider fields that came with the request; an empty object leaves the cluster's own
    /// unchanged.
    base::Json provider_fields = base::Json::object();
};

/// Plans and queues the operation for an active cluster; one for all services also after a start,
/// stop or restart that has failed or was aborted. One transaction, with the cluster's row
/// locked; the services are not changed until a daemon runs the tasks. A start of some services
/// also starts the services they need. A stop or restart includes the services that need them
/// (touched_services.hpp).
///
/// Refused with not_found ("cluster <id> does not exist", "service <s> does not exist on cluster
/// <id>"). With conflict otherwise, and as start_job says.
Result<void> act_on_services(store::Database& database, const model::Caller& caller,
                             model::ClusterId cluster, const ServiceAction& action,
                             base::Timestamp now);

}  // namespace provisioner::operations
