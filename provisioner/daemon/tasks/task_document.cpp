#include "provisioner/daemon/tasks/task_document.hpp"

#include <algorithm>

#include "provisioner/model/plugins/sealed.hpp"

namespace provisioner::daemon {

namespace {

std::string upper_case(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return word;
}

/// The service with the action of this task. Only for tasks of a service.
base::Json service_json(const model::Snapshot& snapshot, const queue::Claim& claim) {
    for (const model::Service& service : snapshot.services) {
        const auto action = service.actions.find(claim.action);
        if (service.header.name != claim.service || action == service.actions.end()) continue;
        return {{"name", claim.service},
                {"action", {{"type", action->second.type}, {"fields", action->second.fields}}}};
    }
    throw std::logic_error("service " + claim.service + " has no action " +
                           base::to_word(claim.action));
}

base::Json nodes_json(const store::ClusterView& cluster) {
    base::Json::object_t nodes;
    nodes.reserve(cluster.nodes.size());
    // Appended directly: an ordered object compares a new key with all others, which is quadratic
    // for 10,000 nodes. The uuids are distinct.
    for (const auto& node : cluster.nodes) {
        nodes.emplace_back(node->uuid, model::properties_json(*node));
    }
    return nodes;
}

}  // namespace

base::Json task_document(const store::ClusterView& cluster, const model::Node& node,
                         const queue::Claim& claim, base::Json cluster_config,
                         automators::SharedValues& shared) {
    const model::Snapshot& snapshot = cluster.cluster->snapshot;
    base::Json config = base::Json::object();
    config["cluster"] = std::move(cluster_config);
    if (!claim.service.empty()) config["service"] = service_json(snapshot, claim);
    config.update(model::properties_json(node));
    // A node must not receive the credentials of the account it is in.
    model::Provider provider = snapshot.provider;
    provider.fields = model::without_sealed(provider.fields);
    config["provider"] = model::to_json(provider);
    config["nodes"] = shared.refer_to("nodes", [&cluster] { return nodes_json(cluster); });
    config.update(node.results);
    return {{"taskId", model::wire_id(claim.cluster, claim.job, claim.task)},
            {"jobId", model::wire_id(claim.cluster, claim.job)},
            {"clusterId", model::wire_id(claim.cluster)},
            {"taskName", upper_case(base::to_word(claim.action))},
            {"nodeId", node.uuid},
            {"config", std::move(config)}};
}

}  // namespace provisioner::daemon
