#include "provisioner/operations/machines/nodes.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/node_store.hpp"
#include "provisioner/store/clusters/work_store.hpp"

namespace provisioner::operations {

namespace {

/// The cluster with its row locked, if its nodes may be changed by hand.
Result<model::Cluster> lock_settled(store::Connection& connection, model::ClusterId id) {
    auto cluster = store::lock_for_work(connection, id);
    if (!cluster) {
        return refuse(Refusal::Kind::not_found, "clusterId",
                      "cluster " + model::wire_id(id) + " not found.");
    }
    if (cluster->status == model::ClusterStatus::pending ||
        cluster->status == model::ClusterStatus::terminated) {
        return refuse(Refusal::Kind::conflict, "clusterId",
                      "cluster " + model::wire_id(id) + " is " + base::to_word(cluster->status) +
                          ": its nodes cannot be changed by hand.");
    }
    return *std::move(cluster);
}

/// Call it with the cluster locked: a node that was found before the lock may be gone.
std::optional<model::Node> find_node(store::Connection& connection, model::ClusterId cluster,
                                     const std::string& uuid) {
    for (model::Node& node : store::nodes_ever_of(connection, cluster)) {
        if (node.uuid == uuid) return std::move(node);
    }
    return std::nullopt;
}

void audit_node(store::Connection& connection, const model::Caller& caller, const char* action,
                const model::Cluster& cluster, const std::string& uuid, const base::Json& before,
                const base::Json& after) {
    audit(connection, caller,
          {.action = action,
           .object = {.kind = "node", .id = uuid, .name = model::wire_id(cluster.id)},
           .before = before,
           .after = after,
           .chain = cluster.tenant});
}

void count_nodes(store::Connection& connection, model::ClusterId cluster) {
    const auto nodes = store::nodes_of(connection, cluster);
    store::update_node_count(connection, cluster, static_cast<int>(nodes.size()));
}

}  // namespace

Result<void> save_node(store::Database& database, const model::Caller& caller, model::Node node,
                       bool overwrite) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto taken = [&] {
            return refuse(Refusal::Kind::conflict, "id", "Node " + node.uuid + " already exists.");
        };
        const auto home = store::cluster_of_node(connection, node.uuid);
        if (home && !overwrite) return taken();
        const auto cluster = lock_settled(connection, home.value_or(node.cluster));
        if (!cluster) return base::unexpected(cluster.error());
        const auto known = find_node(connection, cluster->id, node.uuid);
        if (known && !overwrite) return taken();
        if (known) {
            node.id = known->id;
            store::update_node(connection, node);
            audit_node(connection, caller, "node.replace", *cluster, node.uuid,
                       model::properties_json(*known), model::properties_json(node));
            return {};
        }
        node.cluster = cluster->id;
        node.nodenum = store::next_number_of(connection, cluster->id);
        store::insert_nodes(connection, {node});
        count_nodes(connection, cluster->id);
        audit_node(connection, caller, "node.create", *cluster, node.uuid, base::Json(),
                   model::properties_json(node));
        return {};
    });
}

Result<void> delete_node(store::Database& database, const model::Caller& caller,
                         const std::string& uuid) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto home = store::cluster_of_node(connection, uuid);
        if (!home) return {};
        const auto cluster = lock_settled(connection, *home);
        if (!cluster) return base::unexpected(cluster.error());
        const auto node = find_node(connection, *home, uuid);
        if (!node) return {};
        if (store::has_tasks(connection, node->id)) {
            return refuse(Refusal::Kind::conflict, "id",
                          "Node " + uuid + " is a machine of cluster " + model::wire_id(*home) +
                              ": shrink the cluster to take it away.");
        }
        store::delete_node(connection, node->id);
        count_nodes(connection, *home);
        audit_node(connection, caller, "node.delete", *cluster, uuid, model::properties_json(*node),
                   base::Json());
        return {};
    });
}

}  // namespace provisioner::operations
