#include "provisioner/operations/tenants/end_clusters.hpp"

#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/jobs/control.hpp"

namespace provisioner::operations {

namespace {

model::Caller administrator_of(const model::Tenant& tenant, model::Caller caller) {
    caller.user.name = caller.tenant.name + '/' + caller.user.name;
    caller.user.role = model::Role::admin;
    caller.tenant = tenant;
    return caller;
}

}  // namespace

std::vector<store::ClusterSummary> clusters_to_end(store::Connection& connection,
                                                   const model::Tenant& tenant, int limit) {
    using enum model::ClusterStatus;
    return store::list_clusters(
        connection, administrator_of(tenant, {}),
        {.statuses = {pending, active, incomplete, inconsistent}, .limit = limit});
}

Result<EndedClusters> delete_clusters_of(store::Database& database, const model::Caller& caller,
                                         const model::Tenant& tenant,
                                         const std::vector<model::ClusterId>& clusters,
                                         base::Timestamp now) {
    if (!caller.is_superadmin()) {
        return refuse(Refusal::Kind::forbidden, "", "Only superadmins delete clusters of tenants.");
    }
    const model::Caller administrator = administrator_of(tenant, caller);
    EndedClusters ended;
    for (const model::ClusterId cluster : clusters) {
        const auto done = delete_cluster(database, administrator, cluster, now);
        if (done) {
            ++ended.begun;
            continue;
        }
        const bool has_job = database.read([&](store::Connection& connection) {
            const auto summary = store::find_summary(connection, administrator, cluster);
            return summary && summary->status == model::ClusterStatus::pending;
        });
        if (has_job && abort_job(database, administrator, cluster)) {
            ended.aborted.push_back(cluster);
        } else {
            ended.problems.emplace_back(cluster, done.error().problems.front().message);
        }
    }
    return ended;
}

}  // namespace provisioner::operations
