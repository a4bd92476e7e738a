#include "provisioner/operations/clusters/describe.hpp"

#include "provisioner/model/names.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace provisioner::operations {

Result<void> describe_cluster(store::Database& database, const model::Caller& caller,
                              model::ClusterId id, const std::string& description) {
    if (description.size() > model::longest_text) {
        return refuse(Refusal::Kind::invalid, "description",
                      "must not be longer than " + std::to_string(model::longest_text) + " bytes");
    }
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) return no_such_cluster(id);
        if (cluster->status == model::ClusterStatus::terminated) {
            return refuse(Refusal::Kind::conflict, "", "Cluster is terminated.");
        }
        if (cluster->description == description) return {};
        store::update_description(connection, id, description);
        audit(connection, caller,
              {.action = "cluster.describe",
               .object = object_of(*cluster),
               .before = {{"description", cluster->description}},
               .after = {{"description", description}}});
        return {};
    });
}

}  // namespace provisioner::operations
