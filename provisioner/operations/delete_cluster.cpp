#include "provisioner/operations/delete_cluster.hpp"

#include "provisioner/operations/start_job.hpp"
#include "provisioner/store/cluster_store.hpp"

namespace provisioner::operations {

Result<void> delete_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, base::Timestamp now,
                            const base::Json& provider_fields) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) {
            return refuse(Refusal::Kind::not_found, "",
                          "cluster " + model::wire_id(id) + " not found.");
        }
        if (cluster->status == model::ClusterStatus::terminated) return {};
        if (cluster->status == model::ClusterStatus::pending) {
            return refuse(Refusal::Kind::conflict, "",
                          "Job " + model::wire_id(id, cluster->latest_job) +
                              " is still underway for cluster " + model::wire_id(id));
        }
        return start_job(connection, *cluster,
                         {.operation = model::Operation::cluster_delete,
                          .services = {},
                          .provider_fields = provider_fields},
                         now);
    });
}

}  // namespace provisioner::operations
