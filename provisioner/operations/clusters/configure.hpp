#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// A new configuration for a cluster.
struct ConfigureCluster {
    /// Replaces the cluster's configuration as a whole.
    base::Json config = base::Json::object();
    /// Whether services are stopped before and started after.
    bool restart = true;
    /// Fields of the provider given with it.
    base::Json provider_fields = base::Json::object();
};

/// Stores the configuration and queues the work that brings it to the nodes of an active or
/// inconsistent cluster. Refused with not_found ("cluster <id> does not exist"), or conflict in any
/// other status. As the wire contract has it, the configuration stays when the job fails.
Result<void> configure_cluster(store::Database& database, const model::Caller& caller,
                               model::ClusterId cluster, const ConfigureCluster& wanted,
                               base::Timestamp now);

}  // namespace provisioner::operations
