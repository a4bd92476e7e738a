#include "provisioner/operations/clusters/delete.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_control.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

namespace {

using model::ClusterStatus;
using model::JobStatus;
using model::Operation;

base::unexpected<Refusal> nothing_to_delete(model::ClusterId id) {
    return refuse(Refusal::Kind::not_found, "", "cluster " + model::wire_id(id) + " not found.");
}

void audit_deletion(store::Connection& connection, const model::Caller& caller,
                    const model::Cluster& cluster) {
    audit(connection, caller,
          {.action = "cluster.delete",
           .object = object_of(cluster),
           .before = {{"name", cluster.name}, {"nodes", cluster.node_count}}});
}

/// Continues a paused deletion, with the provider fields given for it. For any other job a person
/// has to decide first.
Result<void> go_on_or_refuse(store::Connection& connection, const model::Caller& caller,
                             const store::HeldCluster& held, const base::Json& provider_fields) {
    const bool is_paused_deletion =
        held.job.operation == Operation::cluster_delete && held.job.status == JobStatus::paused;
    if (is_paused_deletion) {
        if (!provider_fields.empty()) {
            auto cluster = *store::lock_cluster(connection, caller, held.cluster.id);
            auto taken =
                take_provider_fields(connection, cluster, provider_fields, fields_of(caller));
            if (!taken) return taken;
        }
        store::resume_job(connection, held.job.id);
        audit_deletion(connection, caller, held.cluster);
        return {};
    }
    return refuse(Refusal::Kind::conflict, "",
                  "Job " + model::wire_id(held.cluster.id, held.job.id) +
                      " is still underway for cluster " + model::wire_id(held.cluster.id));
}

/// Writes the abandoned deletion as the cluster's latest job.
void record_giving_up(store::Connection& connection, const model::Caller& caller,
                      model::Cluster cluster, base::Timestamp now) {
    model::Job job;
    job.cluster = cluster.id;
    job.operation = Operation::cluster_delete;
    job.status = JobStatus::failed;
    job.message = "Given up by " + caller.user.name + " without deleting its machines.";
    job.asked_by = model::asker(caller);
    job.created_at = now;
    job.finished_at = now;
    cluster.latest_job = store::insert_job(connection, job);
    cluster.status = ClusterStatus::terminated;
    cluster.message = job.message;
    store::update_cluster(connection, cluster);
    store::note_callback(connection, cluster.latest_job);
}

}  // namespace

Result<void> delete_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, base::Timestamp now,
                            const base::Json& provider_fields) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto held = store::hold_cluster(connection, caller, id);
        if (!held) return nothing_to_delete(id);
        if (held->cluster.status == ClusterStatus::terminated) return {};
        if (held->cluster.status == ClusterStatus::pending) {
            return go_on_or_refuse(connection, caller, *held, provider_fields);
        }
        // Provider fields change the cluster's copy of its provider, so only they need the whole
        // cluster.
        auto cluster =
            provider_fields.empty() ? held->cluster : *store::lock_cluster(connection, caller, id);
        auto started = start_job(connection, cluster,
                                 {.operation = Operation::cluster_delete,
                                  .asked_by = model::asker(caller),
                                  .services = {},
                                  .provider_fields = provider_fields,
                                  .whose = fields_of(caller)},
                                 now);
        if (started) audit_deletion(connection, caller, cluster);
        return started;
    });
}

Result<void> give_up_cluster(store::Database& database, const model::Caller& caller,
                             model::ClusterId id, base::Timestamp now) {
    if (!caller.is_admin()) {
        return refuse(Refusal::Kind::forbidden, "", "user unauthorized, must be admin.");
    }
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto held = store::hold_cluster(connection, caller, id);
        if (!held) return nothing_to_delete(id);
        if (held->cluster.status == ClusterStatus::terminated) return {};
        if (held->cluster.status == ClusterStatus::pending) {
            store::end_job_at_once(connection, held->job.id);
        }
        record_giving_up(connection, caller, held->cluster, now);
        audit(connection, caller,
              {.action = "cluster.give-up",
               .object = object_of(held->cluster),
               .before = {{"status", base::to_word(held->cluster.status)}}});
        return {};
    });
}

}  // namespace provisioner::operations
