#include "provisioner/operations/jobs/control.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/jobs/job_control.hpp"

namespace provisioner::operations {

namespace {

using model::ClusterStatus;
using model::JobStatus;
using model::Operation;

/// Runs `change(connection, held)` on a cluster that the caller may see, with its locks held.
template <class Change>
Result<void> change_job(store::Database& database, const model::Caller& caller, model::ClusterId id,
                        Change&& change) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto held = store::hold_cluster(connection, caller, id);
        if (!held) {
            return refuse(Refusal::Kind::not_found, "",
                          "cluster " + model::wire_id(id) + " not found.");
        }
        return change(connection, *held);
    });
}

void audit_job(store::Connection& connection, const model::Caller& caller, const char* action,
               const store::HeldCluster& held) {
    audit(connection, caller,
          {.action = action,
           .object = object_of(held.cluster),
           .before = {{"job", model::wire_id(held.cluster.id, held.job.id)},
                      {"operation", base::to_word(held.job.operation)},
                      {"status", base::to_word(held.job.status)}}});
}

bool is_under_way(const store::HeldCluster& held) {
    return held.cluster.status == ClusterStatus::pending;
}

}  // namespace

Result<void> pause_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId id) {
    return change_job(
        database, caller, id, [&](auto& connection, const auto& held) -> Result<void> {
            const bool runs =
                is_under_way(held) && held.job.status == JobStatus::running && !held.job.aborted;
            if (!runs) return {};
            store::pause_job(connection, held.job.id);
            audit_job(connection, caller, "cluster.pause", held);
            return {};
        });
}

Result<void> resume_job(store::Database& database, const model::Caller& caller,
                        model::ClusterId id) {
    return change_job(
        database, caller, id, [&](auto& connection, const auto& held) -> Result<void> {
            const bool paused = is_under_way(held) && held.job.status == JobStatus::paused;
            if (!paused) return {};
            store::resume_job(connection, held.job.id);
            audit_job(connection, caller, "cluster.resume", held);
            return {};
        });
}

Result<void> abort_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId id) {
    return change_job(
        database, caller, id, [&](auto& connection, const auto& held) -> Result<void> {
            if (!is_under_way(held) || held.job.aborted) return {};
            if (held.job.operation == Operation::cluster_delete) {
                return refuse(Refusal::Kind::conflict, "", "Cannot be aborted at this time.");
            }
            store::abort_job(connection, held.job.id);
            audit_job(connection, caller, "cluster.abort", held);
            return {};
        });
}

Result<void> retry_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId id) {
    return change_job(
        database, caller, id, [&](auto& connection, const auto& held) -> Result<void> {
            const bool ended =
                !is_under_way(held) && held.cluster.status != ClusterStatus::terminated;
            const bool has_work = held.job.tasks_total > 0;
            if (!ended || held.job.status != JobStatus::failed || !has_work) {
                return refuse(Refusal::Kind::conflict, "",
                              "There is no failed job to run again on this cluster.");
            }
            store::retry_job(connection, held, model::asker(caller));
            audit_job(connection, caller, "cluster.retry", held);
            return {};
        });
}

}  // namespace provisioner::operations
