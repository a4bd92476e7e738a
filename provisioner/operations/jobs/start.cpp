#include "provisioner/operations/jobs/start.hpp"

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/catalogue/provider_fields.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace provisioner::operations {

base::Checked<planner::TaskGraph> plan_on(const std::vector<model::Node>& nodes,
                                          const model::Cluster& cluster,
                                          const NodeOperation& wanted) {
    planner::PlanRequest request{
        .operation = wanted.operation,
        .nodes = {},
        .services = cluster.snapshot.services,
        .only_nodes = {},
        .only_services = wanted.services,
    };
    // A deletion deletes each machine with everything on it, so it does not need the definitions of
    // services, which may be broken.
    const bool is_deletion = wanted.operation == model::Operation::cluster_delete;
    for (const model::Node& node : nodes) {
        request.nodes.push_back(
            {.name = node.hostname,
             .services = is_deletion ? std::vector<std::string>{} : node.services});
    }
    return planner::plan(request);
}

void enqueue_job(store::Connection& connection, model::Cluster& cluster, const JobOrder& order,
                 const planner::TaskGraph& graph, const std::vector<model::NodeId>& nodes,
                 base::Timestamp now) {
    model::Job job;
    job.cluster = cluster.id;
    job.operation = order.operation;
    job.asked_by = order.asked_by;
    job.without = order.without;
    job.leaves_as_is = order.leaves_as_is;
    job.only_keeps = order.only_keeps;
    job.goes_back = order.goes_back;
    job.created_at = now;
    job.tasks_total = static_cast<int>(graph.tasks().size());
    const model::JobEnd end =
        model::end_of({.operation = order.operation, .total = job.tasks_total});
    job.status = end.job;
    if (end.job != model::JobStatus::running) job.finished_at = now;
    cluster.latest_job = store::insert_job(connection, job);
    cluster.status = end.cluster;
    cluster.message.clear();
    store::enqueue(connection, cluster.latest_job, graph, nodes, now);
    store::update_cluster(connection, cluster);
    if (order.operation == model::Operation::cluster_delete) {
        const bool is_repeat = order.asked_by == model::Asker{{}, model::asked_by_lease};
        store::note_deletion(connection, cluster.id, cluster.latest_job, is_repeat);
    }
    store::note_callback(connection, cluster.latest_job);
}

Result<void> take_provider_fields(store::Connection& connection, model::Cluster& cluster,
                                  const base::Json& given, FieldsOf whose) {
    if (given.empty()) return {};
    model::Provider& provider = cluster.snapshot.provider;
    const auto type =
        store::find_plugin_type(connection, model::PluginKind::provider, provider.provider_type);
    if (!type) {
        return refuse(Refusal::Kind::not_found, "provider",
                      "provider type " + provider.provider_type + " does not exist.");
    }
    auto taken = with_user_fields(provider, *type, given, whose, cluster.secrets);
    if (!taken) return base::unexpected(taken.error());
    const std::string before = model::region_of(*type, provider.fields);
    const std::string region = model::region_of(*type, taken->provider.fields);
    // In another region none of the machines is found: a deletion would end the cluster and leave
    // them running, with nobody who knows of them.
    if (cluster.node_count > 0 && !before.empty() && region != before) {
        return refuse(Refusal::Kind::invalid, "providerFields." + type->region_field,
                      "the machines of the cluster are in another region: it cannot be changed "
                      "while there are some");
    }
    provider = std::move(taken->provider);
    cluster.region = region;
    store::update_snapshot(connection, cluster);
    keep_secrets(connection, cluster, taken->secrets);
    return {};
}

Result<void> start_job(store::Connection& connection, model::Cluster& cluster,
                       const NodeOperation& wanted, base::Timestamp now) {
    const std::vector<model::Node> nodes = store::nodes_of(connection, cluster.id);
    if (nodes.empty() && cluster.node_count > 0) {
        return refuse(Refusal::Kind::conflict, "",
                      "The cluster has " + std::to_string(cluster.node_count) +
                          " machines, and none of them is found. An admin can end it by force.");
    }
    const auto graph = plan_on(nodes, cluster, wanted);
    if (!graph) return refuse(Refusal::Kind::conflict, graph.error());
    // Otherwise machines would stay behind a terminated cluster.
    if (wanted.operation == model::Operation::cluster_delete &&
        graph->tasks().size() < nodes.size()) {
        throw std::logic_error("a deletion without a task for every machine of cluster " +
                               model::wire_id(cluster.id));
    }
    auto taken = take_provider_fields(connection, cluster, wanted.provider_fields, wanted.whose);
    if (!taken) return taken;
    std::vector<model::NodeId> ids;
    ids.reserve(nodes.size());
    for (const model::Node& node : nodes) ids.push_back(node.id);
    enqueue_job(
        connection, cluster,
        {.operation = wanted.operation, .asked_by = wanted.asked_by, .goes_back = wanted.goes_back},
        *graph, ids, now);
    return {};
}

}  // namespace provisioner::operations
