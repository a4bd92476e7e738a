#include "provisioner/operations/clusters/configure.hpp"

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

model::Operation configure_operation(bool restart) {
    return restart ? model::Operation::cluster_configure_with_restart
                   : model::Operation::cluster_configure;
}

base::Checked<planner::TaskGraph> plan_configuration(const model::Cluster& cluster,
                                                     const std::vector<model::Node>& nodes,
                                                     bool restart) {
    return plan_on(nodes, cluster, {.operation = configure_operation(restart), .services = {}});
}

Result<void> configure_cluster(store::Database& database, const model::Caller& caller,
                               model::ClusterId id, const ConfigureCluster& wanted,
                               base::Timestamp now) {
    const auto operation = configure_operation(wanted.restart);
    return database.write([&](store::Connection& connection) -> Result<void> {
        auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) {
            return no_such_cluster(id);
        }
        const bool configurable = cluster->status == model::ClusterStatus::active ||
                                  cluster->status == model::ClusterStatus::inconsistent;
        if (!configurable) {
            return refuse(Refusal::Kind::conflict, "", "Cluster is not in a configurable state.");
        }
        const auto config = model::with_masked_config(wanted.config, cluster->config);
        if (!config) return refuse(Refusal::Kind::invalid, config.error());
        auto started = start_job(connection, *cluster,
                                 {.operation = operation,
                                  .asked_by = model::asker(caller),
                                  .services = {},
                                  .provider_fields = wanted.provider_fields,
                                  .whose = fields_of(caller),
                                  .goes_back = store::working_config(connection, id) == *config},
                                 now);
        if (!started) return started;
        store::keep_working_config(connection, id);
        store::update_config(connection, id, *config);
        audit(connection, caller,
              {.action = "cluster.configure",
               .object = object_of(*cluster),
               .before = {{"config", cluster->config}},
               .after = {{"config", *config},
                         {"restart", wanted.restart},
                         {"job", model::wire_id(id, cluster->latest_job)}}});
        return started;
    });
}

}  // namespace provisioner::operations
