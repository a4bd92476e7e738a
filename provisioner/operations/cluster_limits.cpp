#include "provisioner/operations/cluster_limits.hpp"

namespace provisioner::operations {

bool exceeds_quota(store::Connection& connection, const model::Tenant& tenant,
                   const store::TenantUse& more) {
    // Whoever asks may have been identified before the quota was changed, or the tenant deleted.
    const auto now = store::find_tenant(connection, tenant.name);
    if (!now || now->id != tenant.id) return true;
    const store::TenantUse use = store::use_of(connection, tenant.id);
    const bool too_many_clusters =
        more.clusters > 0 && more.clusters > now->max_clusters - use.clusters;
    return too_many_clusters || more.nodes > now->max_nodes - use.nodes;
}

Result<void> check_size(const model::Constraints& constraints, int machines) {
    if (machines >= constraints.size_min && machines <= constraints.size_max) return {};
    return refuse(Refusal::Kind::invalid, "numMachines",
                  "Size must be at least " + std::to_string(constraints.size_min) +
                      " but not greater than " + std::to_string(constraints.size_max) +
                      ". Now it's " + std::to_string(machines));
}

}  // namespace provisioner::operations
