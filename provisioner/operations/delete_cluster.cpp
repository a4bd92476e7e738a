#include "provisioner/operations/delete_cluster.hpp"

#include "provisioner/planner/plan.hpp"
#include "provisioner/store/cluster_store.hpp"
#include "provisioner/store/job_store.hpp"

namespace provisioner::operations {

namespace {

planner::TaskGraph plan_delete(const std::vector<model::Node>& nodes,
                               const model::Cluster& cluster) {
    planner::PlanRequest request;
    request.operation = model::Operation::cluster_delete;
    request.services = cluster.snapshot.services;
    for (const model::Node& node : nodes) {
        request.nodes.push_back({.name = node.hostname, .services = node.services});
    }
    auto graph = planner::plan(request);
    if (!graph) throw std::logic_error("a deletion cannot clash: " + to_text(graph.error()));
    return *std::move(graph);
}

void start_deletion(store::Connection& connection, model::Cluster& cluster, base::Timestamp now) {
    const std::vector<model::Node> nodes = store::nodes_of(connection, cluster.id);
    const planner::TaskGraph graph = plan_delete(nodes, cluster);
    const bool nothing_to_do = graph.tasks().empty();

    model::Job job;
    job.cluster = cluster.id;
    job.operation = model::Operation::cluster_delete;
    job.status = nothing_to_do ? model::JobStatus::complete : model::JobStatus::running;
    job.created_at = now;
    if (nothing_to_do) job.finished_at = now;
    job.tasks_total = static_cast<int>(graph.tasks().size());
    cluster.latest_job = store::insert_job(connection, job);

    std::vector<model::NodeId> ids;
    for (const model::Node& node : nodes) ids.push_back(node.id);
    store::enqueue(connection, cluster.latest_job, graph, ids, now);
    cluster.status =
        nothing_to_do ? model::ClusterStatus::terminated : model::ClusterStatus::pending;
    cluster.message.clear();
    store::update_cluster(connection, cluster);
}

}  // namespace

Result<void> delete_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId id, base::Timestamp now) {
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
        start_deletion(connection, *cluster, now);
        return {};
    });
}

}  // namespace provisioner::operations
