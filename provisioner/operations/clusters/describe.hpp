#pragma once

#include <string>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Replaces the description of a cluster. Machines and services do not read it, so no job is
/// queued. One transaction, with the cluster's row locked; a change is recorded in the audit log.
///
/// Refused with not_found, with conflict for a terminated cluster, and as invalid when the text is
/// longer than model::longest_text.
Result<void> describe_cluster(store::Database& database, const model::Caller& caller,
                              model::ClusterId cluster, const std::string& description);

}  // namespace provisioner::operations
