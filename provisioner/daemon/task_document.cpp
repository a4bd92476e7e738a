#include "provisioner/daemon/task_document.hpp"

#include <algorithm>

namespace provisioner::daemon {

namespace {

std::string upper_case(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return word;
}

/// The service and its action, when this is a service task.
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

}  // namespace

const model::Node& node_of(const store::ClusterWork& work, const queue::Claim& claim) {
    for (const auto* nodes : {&work.nodes, &work.leaving}) {
        const auto found = std::find_if(nodes->begin(), nodes->end(),
                                        [&](const auto& node) { return node.id == claim.node; });
        if (found != nodes->end()) return *found;
    }
    throw std::logic_error("a task of a node that is not there");
}

base::Json task_document(const store::ClusterWork& work, const queue::Claim& claim,
                         const base::Json& cluster_config) {
    const model::Node& node = node_of(work, claim);
    base::Json config = {{"cluster", cluster_config}};
    if (!claim.service.empty()) {
        config["service"] = service_json(work.cluster.snapshot, claim);
    }
    config.update(model::properties_json(node));
    config["provider"] = model::to_json(work.cluster.snapshot.provider);
    base::Json& nodes = config["nodes"] = base::Json::object();
    for (const model::Node& other : work.nodes) {
        nodes[other.uuid] = model::properties_json(other);
    }
    config.update(node.results);
    return {{"taskId", model::wire_id(claim.cluster, claim.job, claim.task)},
            {"jobId", model::wire_id(claim.cluster, claim.job)},
            {"clusterId", model::wire_id(claim.cluster)},
            {"taskName", upper_case(base::to_word(claim.action))},
            {"nodeId", node.uuid},
            {"config", std::move(config)}};
}

}  // namespace provisioner::daemon
