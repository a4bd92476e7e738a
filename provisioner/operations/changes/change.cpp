#include "provisioner/operations/changes/change.hpp"

#include <algorithm>

#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/changes/situation.hpp"
#include "provisioner/operations/changes/write.hpp"
#include "provisioner/operations/clusters/layouts.hpp"
#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// What the change adds: a machine that replaces one of the same kind adds nothing.
model::MachineCounts more_machines(const model::MachineCounts& before,
                                   const model::MachineCounts& after) {
    model::MachineCounts more;
    for (const auto& [kind, count] : after) {
        const auto found = before.find(kind);
        const int added = count - (found == before.end() ? 0 : found->second);
        if (added > 0) more[kind] = added;
    }
    return more;
}

/// Sets the costs and the warnings, or refuses machines that the tenant's budget does not allow.
Result<void> check_costs(store::Connection& connection, const model::Tenant& tenant,
                         PreparedChange& change, base::Timestamp now) {
    model::MachineCounts before;
    model::MachineCounts after;
    for (const NodeChange& node : change.nodes) {
        const auto kind = kind_of(change.cluster, node.node);
        if (node.membership != planner::Membership::joins) ++before[kind];
        if (!is_going(node)) ++after[kind];
    }
    const MoreMachines more{.machines = more_machines(before, after),
                            .until = change.cluster.expires_at};
    auto allowed = check_budget(connection, tenant, more, now);
    if (!allowed) return base::unexpected(allowed.error());
    change.warnings = *std::move(allowed);
    change.cost_before = hourly_cost(connection, tenant.id, before, now);
    change.cost_after = hourly_cost(connection, tenant.id, after, now);
    return {};
}

/// The API shows adding services as two jobs. This is the first, the layout; it is already
/// complete.
void record_layout_job(store::Connection& connection, model::ClusterId cluster,
                       const model::Asker& asked_by, base::Timestamp now) {
    model::Job job;
    job.cluster = cluster;
    job.asked_by = asked_by;
    job.operation = model::Operation::add_services;
    job.status = model::JobStatus::complete;
    job.created_at = now;
    job.finished_at = now;
    store::insert_job(connection, job);
}

}  // namespace

bool can_lose_parts(const model::Cluster& cluster, const std::optional<model::Job>& job) {
    const bool is_left = cluster.status == model::ClusterStatus::inconsistent ||
                         cluster.status == model::ClusterStatus::incomplete;
    return cluster.status == model::ClusterStatus::active ||
           (is_left && job && job->operation != model::Operation::cluster_delete);
}

Result<PreparedChange> prepare_change(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, const ChangeCluster& wanted,
                                      base::Timestamp moment) {
    const Situation now = situation_of(connection, caller, cluster, wanted.restart);
    auto change = std::visit([&](const auto& asked) { return prepare(now, asked); }, wanted.change);
    if (!change) return change;
    for (NodeChange& node : change->nodes) {
        if (!are_services_changed(node)) continue;
        node.node.automators =
            model::automators_of(node.node.services, change->cluster.snapshot.services);
    }
    const auto allowed = check_costs(connection, caller.tenant, *change, moment);
    if (!allowed) return base::unexpected(allowed.error());
    return change;
}

Result<PreparedChange> preview_change(store::Database& database, const model::Caller& caller,
                                      model::ClusterId id, const ChangeCluster& wanted,
                                      base::Timestamp now) {
    const auto preview = [&](store::Connection& connection) -> Result<PreparedChange> {
        const auto cluster = store::find_cluster(connection, caller, id);
        if (!cluster) return no_such_cluster(id);
        return prepare_change(connection, caller, *cluster, wanted, now);
    };
    return working_out_layouts(caller.tenant.id, [&] { return database.read(preview); });
}

Result<void> change_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, const ChangeCluster& wanted, base::Timestamp now) {
    const auto write = [&](store::Connection& connection) -> Result<void> {
        // Quotas and budgets hold under parallel requests, because each request waits here for the
        // one before it.
        store::lock_tenant(connection, caller.tenant.id);
        const auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) return no_such_cluster(id);
        auto change = prepare_change(connection, caller, *cluster, wanted, now);
        if (!change) return base::unexpected(change.error());
        auto taken = take_provider_fields(connection, change->cluster, wanted.provider_fields,
                                          fields_of(caller));
        if (!taken) return taken;
        if (change->operation == model::Operation::add_services) {
            record_layout_job(connection, id, model::asker(caller), now);
        }
        write_change(connection, *change, model::asker(caller), now);
        auto after = audited(change->cluster);
        after["nodes"] = std::ranges::count_if(
            change->nodes, [](const NodeChange& node) { return !is_going(node); });
        audit(connection, caller,
              {.action = audited(change->operation),
               .object = object_of(*cluster),
               .before = audited(*cluster),
               .after = std::move(after)});
        return {};
    };
    return working_out_layouts(caller.tenant.id, [&] { return database.write(write); });
}

void record_failed_addition(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, const std::string& wire_message,
                            base::Timestamp now) {
    database.write([&](store::Connection& connection) {
        auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster || cluster->status != model::ClusterStatus::active) return;
        model::Job job;
        job.cluster = id;
        job.operation = model::Operation::add_services;
        job.asked_by = model::asker(caller);
        job.status = model::JobStatus::failed;
        job.message = wire_message;
        job.created_at = now;
        job.finished_at = now;
        cluster->latest_job = store::insert_job(connection, job);
        cluster->message = wire_message;
        store::update_cluster(connection, *cluster);
        store::note_callback(connection, cluster->latest_job);
    });
}

}  // namespace provisioner::operations
