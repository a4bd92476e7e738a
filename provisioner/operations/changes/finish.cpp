#include "provisioner/operations/changes/finish.hpp"

#include <string>

#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/changes/kept_machines.hpp"
#include "provisioner/operations/changes/situation.hpp"
#include "provisioner/operations/changes/write.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

using model::ClusterStatus;
using model::Operation;

namespace {

Result<PreparedChange> prepare_finish(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, bool keep) {
    const auto job = store::find_job(connection, cluster.latest_job);
    if (!can_be_finished(cluster, job)) {
        return refuse(Refusal::Kind::conflict, "", "Cluster is not in a configurable state.");
    }
    Situation now = situation_of(connection, caller, cluster, true);
    now.is_all_outdated = true;
    now.has_new_configuration = true;
    if (!keep) return planned(now, unchanged(now, job->operation));
    const auto way = way_to_keep(connection, cluster, *job);
    if (!way) {
        return refuse(Refusal::Kind::conflict, "keep", "There is no machine to keep.");
    }
    ShrinkCluster wanted{.keep = true};
    for (const int number : way->without) wanted.nodes.push_back(std::to_string(number));
    return prepare(now, wanted);
}

}  // namespace

bool can_be_finished(const model::Cluster& cluster, const std::optional<model::Job>& job) {
    if (!job || job->status != model::JobStatus::failed) return false;
    switch (job->operation) {
        case Operation::cluster_grow:
        case Operation::cluster_shrink:
        case Operation::replace_node:
            return cluster.status == ClusterStatus::incomplete;
        case Operation::add_services:
        case Operation::remove_services:
            return cluster.status == ClusterStatus::inconsistent;
        default:
            return false;
    }
}

Result<PreparedChange> preview_finish(store::Database& database, const model::Caller& caller,
                                      model::ClusterId id, bool keep) {
    return database.read([&](store::Connection& connection) -> Result<PreparedChange> {
        const auto cluster = store::find_cluster(connection, caller, id);
        if (!cluster) return no_such_cluster(id);
        return prepare_finish(connection, caller, *cluster, keep);
    });
}

Result<void> finish_with_config(store::Database& database, const model::Caller& caller,
                                model::ClusterId id, const NewConfiguration& wanted,
                                base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) return no_such_cluster(id);
        auto change = prepare_finish(connection, caller, *cluster, wanted.keep);
        if (!change) return base::unexpected(change.error());
        const auto whole = model::with_masked_config(wanted.config, cluster->config);
        if (!whole) return refuse(Refusal::Kind::invalid, whole.error());
        change->goes_back = store::working_config(connection, id) == *whole;
        write_change(connection, *change, model::asker(caller), now);
        store::keep_working_config(connection, id);
        store::update_config(connection, id, *whole);
        audit(connection, caller,
              {.action = "cluster.configure",
               .object = object_of(*cluster),
               .before = {{"config", cluster->config}},
               .after = {{"config", *whole},
                         {"restart", true},
                         {"job", model::wire_id(id, change->cluster.latest_job)}}});
        return {};
    });
}

}  // namespace provisioner::operations
