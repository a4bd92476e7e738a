#include "provisioner/operations/prepare_change.hpp"

#include "provisioner/operations/change_situation.hpp"
#include "provisioner/store/cluster_store.hpp"

namespace provisioner::operations {

Result<PreparedChange> prepare_change(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, const ChangeCluster& wanted) {
    const Situation now{.connection = connection,
                        .caller = caller,
                        .cluster = cluster,
                        .wanted = wanted,
                        .nodes = store::nodes_of(connection, cluster.id)};
    auto change = std::visit([&](const auto& asked) { return prepare(now, asked); }, wanted.change);
    if (!change) return change;
    for (NodeChange& node : change->nodes) {
        const bool changed = !node.arriving.empty() || !node.leaving.empty();
        if (!changed) continue;
        node.node.automators =
            model::automators_of(node.node.services, change->cluster.snapshot.services);
    }
    return change;
}

}  // namespace provisioner::operations
