#pragma once

#include "provisioner/model/cluster_template.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/tenant_store.hpp"

namespace provisioner::operations {

/// No cluster has more nodes than this.
constexpr int max_cluster_size = 10000;

/// Whether the tenant would have more clusters or nodes than it may, with `more` of them. Its row
/// must be locked for this to stay true.
bool exceeds_quota(store::Connection& connection, const model::Tenant& tenant,
                   const store::TenantUse& more);

/// Whether a template allows a cluster of so many nodes. Refused with the wire contract's text on
/// `numMachines`.
Result<void> check_size(const model::Constraints& constraints, int machines);

}  // namespace provisioner::operations
