#include "provisioner/operations/clusters/service_actions.hpp"

#include <algorithm>

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

Result<void> act_on_services(store::Database& database, const model::Caller& caller,
                             model::ClusterId id, const ServiceAction& action,
                             base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) {
            return no_such_cluster(id);
        }
        NodeOperation wanted{.operation = action.operation,
                             .asked_by = model::asker(caller),
                             .services = action.services,
                             .provider_fields = action.provider_fields,
                             .whose = fields_of(caller)};
        base::Problems missing;
        for (const std::string& service : action.services) {
            if (std::ranges::count(cluster->services, service) > 0) continue;
            missing.push_back({"service", "service " + service + " does not exist on cluster " +
                                              model::wire_id(id)});
        }
        if (!missing.empty()) return refuse(Refusal::Kind::not_found, std::move(missing));
        const bool may_act =
            cluster->status == model::ClusterStatus::active ||
            (action.services.empty() &&
             model::is_failed_service_action(store::find_job(connection, cluster->latest_job)));
        if (!may_act) {
            return refuse(Refusal::Kind::conflict, "",
                          "Cluster is not in a state where service actions can be performed.");
        }
        auto started = start_job(connection, *cluster, wanted, now);
        if (started) {
            audit(connection, caller,
                  {.action = audited(action.operation),
                   .object = object_of(*cluster),
                   .after = {{"services", wanted.services}}});
        }
        return started;
    });
}

}  // namespace provisioner::operations
