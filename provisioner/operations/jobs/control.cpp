#include "provisioner/operations/jobs/control.hpp"

#include <set>

#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/jobs/config_again.hpp"
#include "provisioner/operations/jobs/retry_choice.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_control.hpp"
#include "provisioner/store/jobs/job_store.hpp"

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
               const store::HeldCluster& held, base::Json after = {}) {
    audit(connection, caller,
          {.action = action,
           .object = object_of(held.cluster),
           .before = {{"job", model::wire_id(held.cluster.id, held.job.id)},
                      {"operation", base::to_word(held.job.operation)},
                      {"status", base::to_word(held.job.status)}},
           .after = std::move(after)});
}

bool is_under_way(const store::HeldCluster& held) {
    return held.cluster.status == ClusterStatus::pending;
}

bool can_be_retried(const store::HeldCluster& held) {
    const bool ended = !is_under_way(held) && held.cluster.status != ClusterStatus::terminated;
    return ended && held.job.status == JobStatus::failed && held.job.tasks_total > 0;
}

base::unexpected<Refusal> nothing_to_retry() {
    return refuse(Refusal::Kind::conflict, "",
                  "There is no failed job to run again on this cluster.");
}

base::Json names_of(const std::vector<model::Node>& nodes, const std::set<model::NodeId>& chosen) {
    base::Json names = base::Json::array();
    for (const model::Node& node : nodes) {
        if (chosen.contains(node.id)) names.push_back(node.hostname);
    }
    return names;
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
    return change_job(database, caller, id,
                      [&](auto& connection, const auto& held) -> Result<void> {
                          if (!can_be_retried(held)) return nothing_to_retry();
                          store::retry_job(connection, held, model::asker(caller));
                          audit_job(connection, caller, "cluster.retry", held);
                          return {};
                      });
}

Result<void> retry_creation(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, const base::Json& config) {
    return change_job(
        database, caller, id, [&](auto& connection, const auto& held) -> Result<void> {
            if (!can_be_retried(held)) return nothing_to_retry();
            if (held.job.operation != Operation::cluster_create) {
                return refuse(Refusal::Kind::conflict, "",
                              "The latest job of this cluster is not its creation.");
            }
            const auto cluster = store::find_cluster(connection, caller, id);
            if (!cluster) return no_such_cluster(id);
            const auto whole = model::with_masked_config(config, cluster->config);
            if (!whole) return refuse(Refusal::Kind::invalid, whole.error());
            const auto nodes = store::nodes_of(connection, id);
            const auto again = configure_again(nodes, cluster->snapshot.services,
                                               store::tasks_of(connection, held.job.id),
                                               store::edges_of(connection, held.job.id));
            if (!again) return refuse(Refusal::Kind::conflict, again.error());
            std::vector<model::NodeId> ids;
            for (const model::Node& node : nodes) ids.push_back(node.id);
            store::update_config(connection, id, *whole);
            store::retry_job_after(connection, held, model::asker(caller),
                                   {.graph = again->graph,
                                    .nodes = std::move(ids),
                                    .orders = again->orders,
                                    .replaced = again->replaced,
                                    .relayed = again->relayed});
            audit(connection, caller,
                  {.action = "cluster.configure",
                   .object = object_of(*cluster),
                   .before = {{"config", cluster->config}},
                   .after = {{"config", *whole}}});
            audit_job(connection, caller, "cluster.retry", held);
            return {};
        });
}

Result<void> retry_machines(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, const std::vector<std::string>& nodes) {
    return change_job(
        database, caller, id, [&](auto& connection, const auto& held) -> Result<void> {
            if (!can_be_retried(held)) return nothing_to_retry();
            const auto known = store::nodes_ever_of(connection, id);
            const auto chosen = choose_retry(nodes, known, store::tasks_of(connection, held.job.id),
                                             store::edges_of(connection, held.job.id));
            if (!chosen) return refuse(Refusal::Kind::invalid, chosen.error());
            store::retry_tasks(connection, held, model::asker(caller), chosen->tasks);
            audit_job(connection, caller, "cluster.retry", held,
                      {{"machines", names_of(known, chosen->nodes)}});
            return {};
        });
}

}  // namespace provisioner::operations
