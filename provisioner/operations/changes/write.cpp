#include "provisioner/operations/changes/write.hpp"

#include <algorithm>

#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/leaving_store.hpp"

namespace provisioner::operations {

namespace {

using planner::Membership;

/// Stores new nodes, and changed services of nodes that stay or resume. Returns the ids of all
/// nodes, in the order of `nodes`.
std::vector<model::NodeId> write_nodes(store::Connection& connection,
                                       const std::vector<NodeChange>& nodes) {
    std::vector<model::Node> coming;
    for (const NodeChange& change : nodes) {
        if (change.membership == Membership::joins) coming.push_back(change.node);
        if (are_services_changed(change)) {
            store::update_services_of(connection, change.node);
        }
    }
    const auto new_ids = store::insert_nodes(connection, coming);
    std::vector<model::NodeId> ids;
    auto next = new_ids.begin();
    for (const NodeChange& change : nodes) {
        ids.push_back(change.membership == Membership::joins ? *next++ : change.node.id);
    }
    return ids;
}

template <class Condition>
std::vector<model::NodeId> ids_where(const std::vector<NodeChange>& nodes, Condition condition) {
    std::vector<model::NodeId> ids;
    for (const NodeChange& change : nodes) {
        if (condition(change)) ids.push_back(change.node.id);
    }
    return ids;
}

}  // namespace

bool are_services_changed(const NodeChange& node) {
    const bool gets_some = node.membership == Membership::stays && !node.arriving.empty();
    return gets_some || !node.leaving.empty();
}

bool is_going(const NodeChange& node) {
    return node.membership == Membership::leaves || node.membership == Membership::dropped;
}

// Nodes come first, because the job's tasks refer to them. mark_leaving comes last, because it
// needs the id of the job. The node count includes leaving nodes; the end of the job subtracts
// them.
void write_change(store::Connection& connection, PreparedChange& change,
                  const model::Asker& asked_by, base::Timestamp now) {
    const auto ids = write_nodes(connection, change.nodes);
    const bool removes_any = std::ranges::any_of(change.nodes, is_going);
    const bool keeps_any = std::ranges::any_of(change.nodes, &NodeChange::is_kept);
    store::update_services(connection, change.cluster);
    store::update_node_count(connection, change.cluster.id, static_cast<int>(change.nodes.size()));
    enqueue_job(connection, change.cluster,
                {.operation = change.operation,
                 .asked_by = asked_by,
                 .without = change.without,
                 .leaves_as_is = change.leaves_as_is,
                 .only_keeps = keeps_any && !removes_any,
                 .goes_back = change.goes_back},
                change.graph, ids, now);
    store::mark_leaving(connection, ids_where(change.nodes, is_going), change.cluster.latest_job);
    store::keep_machines(connection, ids_where(change.nodes, [](const NodeChange& node) {
                             return node.is_kept && !is_going(node);
                         }));
}

}  // namespace provisioner::operations
