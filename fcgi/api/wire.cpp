#include "fcgi/api/wire.hpp"

#include <algorithm>

#include "fcgi/api/costs.hpp"
#include "fcgi/http/errors.hpp"
#include "provisioner/macros/expand.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::api {

using provisioner::base::in_capitals;
using provisioner::base::Json;
using provisioner::base::parse_number;
using provisioner::base::to_millis;
using provisioner::base::to_word;

namespace {

namespace macros = provisioner::macros;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace solver = provisioner::solver;
namespace store = provisioner::store;

/// The numbers of an id, which dashes separate; empty if one of them is not a number.
std::vector<std::int64_t> numbers_in(std::string_view text) {
    std::vector<std::int64_t> numbers;
    for (;;) {
        const auto end = std::min(text.find('-'), text.size());
        const auto number = parse_number(text.substr(0, end));
        if (!number) return {};
        numbers.push_back(*number);
        if (end == text.size()) return numbers;
        text.remove_prefix(end + 1);
    }
}

Json progress_json(const std::optional<model::Job>& job) {
    model::Job none;
    none.operation = model::Operation::solve_layout;
    none.status = model::JobStatus::not_submitted;
    const model::Job& latest = job ? *job : none;
    return {{"action", to_word(latest.operation)},
            {"actionstatus", to_word(latest.status)},
            {"stepstotal", latest.tasks_total},
            {"stepscompleted", latest.tasks_done}};
}

/// Provider and template in the list: the wire contract puts the name last there.
Json brief(const model::EntityHeader& header) {
    Json json = Json::object();
    if (header.label) json["label"] = *header.label;
    if (header.description) json["description"] = *header.description;
    if (header.icon) json["icon"] = *header.icon;
    json["version"] = header.version;
    json["name"] = header.name;
    return json;
}

Json links_json(const std::vector<model::Link>& links, const macros::MacroContext& context) {
    Json array = Json::array();
    for (const model::Link& link : links) {
        array.push_back({{"label", link.label}, {"url", macros::expand_link(link.url, context)}});
    }
    return array;
}

Json action_json(const store::Attempt& attempt, model::ClusterId cluster) {
    Json json{{"taskId", model::wire_id(cluster, attempt.job, attempt.task)},
              {"service", attempt.service},
              {"action", in_capitals(to_word(attempt.action))},
              {"submitTime", to_millis(attempt.started_at)},
              {"statusTime", millis_or_zero(attempt.finished_at)},
              {"status", attempt.status}};
    if (attempt.status != "failed") return json;
    if (!attempt.stdout_tail.empty()) json["stdout"] = attempt.stdout_tail;
    if (!attempt.stderr_tail.empty()) json["stderr"] = attempt.stderr_tail;
    return json;
}

Json actions_json(const ClusterDetails& details, model::NodeId node) {
    Json array = Json::array();
    for (const store::Attempt& attempt : details.attempts) {
        if (attempt.node == node) array.push_back(action_json(attempt, details.cluster.id));
    }
    return array;
}

/// The node's services as defined in the cluster's snapshot, in the node's order.
std::vector<const model::Service*> services_of(const ClusterDetails& details,
                                               const model::Node& node) {
    std::vector<const model::Service*> services;
    for (const std::string& name : node.services) {
        for (const model::Service& service : details.cluster.snapshot.services) {
            if (service.header.name == name) services.push_back(&service);
        }
    }
    return services;
}

Json stage_json(const model::DependencyNames& names) {
    return {{"requiredServices", names.required}, {"usesServices", names.used}};
}

/// A service with its inner member names, as low-level node records have them.
Json stored_service_json(const model::Service& service) {
    Json json = model::header_json(service.header);
    const model::Dependencies& dependencies = service.dependencies;
    json["dependencies"] = {{"provides", dependencies.provides},
                            {"conflicts", dependencies.conflicts},
                            {"install", stage_json(dependencies.install)},
                            {"runtime", stage_json(dependencies.runtime)}};
    Json actions = Json::object();
    for (const auto& [action, done] : service.actions) {
        actions[in_capitals(to_word(action))] = {{"type", done.type}, {"fields", done.fields}};
    }
    json["provisionerActions"] = std::move(actions);
    json["links"] = model::links_json(service.links);
    return json;
}

/// `context` is the cluster's; here it gets the node as its self.
Json node_json(const ClusterDetails& details, const model::Node& node,
               macros::MacroContext context) {
    context.self = &node;
    Json services = Json::array();
    Json links = Json::array();
    for (const model::Service* service : services_of(details, node)) {
        services.push_back(model::to_json(*service));
        for (Json& link : links_json(service->links, context)) links.push_back(std::move(link));
    }
    return {{"id", node.uuid},
            {"clusterId", model::wire_id(details.cluster.id)},
            {"services", std::move(services)},
            {"properties", model::properties_json(node)},
            {"actions", actions_json(details, node.id)},
            {"provisionerResults", node.results},
            {"links", std::move(links)}};
}

Json nodes_json(const ClusterDetails& details, const macros::MacroContext& context) {
    Json array = Json::array();
    for (const model::Node& node : details.nodes) {
        array.push_back(node_json(details, node, context));
    }
    return array;
}

const std::string& message_of(const ClusterDetails& details) {
    const bool job_says_it = details.cluster.message.empty() && details.latest_job;
    return job_says_it ? details.latest_job->message : details.cluster.message;
}

Json layout_json(const solver::ClusterLayout& layout) {
    Json groups = Json::array();
    for (const auto& group : layout.groups) {
        groups.push_back({{"hardwaretype", group.hardware_type},
                          {"imagetype", group.image_type},
                          {"services", group.services},
                          {"count", group.count}});
    }
    return groups;
}

Json reasons_json(const solver::GroupReasons& reasons) {
    Json services = Json::array();
    for (const auto& [service, is_here, sentence] : reasons.services) {
        services.push_back({{"service", service}, {"here", is_here}, {"reason", sentence}});
    }
    return {{"services", std::move(services)}, {"machine", reasons.machine}};
}

}  // namespace

std::int64_t millis_or_zero(const std::optional<provisioner::base::Timestamp>& moment) {
    return moment ? to_millis(*moment) : 0;
}

std::optional<model::ClusterId> cluster_id_in(std::string_view text) {
    const auto number = parse_number(text);
    if (!number) return std::nullopt;
    return model::ClusterId{*number};
}

std::optional<WireJobId> job_id_in(std::string_view text) {
    const auto numbers = numbers_in(text);
    if (numbers.size() != 2) return std::nullopt;
    return WireJobId{{numbers[0]}, {numbers[1]}};
}

std::optional<WireTaskId> task_id_in(std::string_view text) {
    const auto numbers = numbers_in(text);
    if (numbers.size() != 3) return std::nullopt;
    return WireTaskId{{numbers[0]}, {numbers[1]}, {numbers[2]}};
}

Json in_wire_order(const Json& entry) {
    Json ordered = Json::object();
    for (const char* key : {"name", "label", "description", "icon", "version"}) {
        if (entry.contains(key)) ordered[key] = entry[key];
    }
    for (const auto& [key, value] : entry.items()) {
        if (!ordered.contains(key)) ordered[key] = value;
    }
    return ordered;
}

Json to_json(const store::ClusterSummary& cluster) {
    return {{"id", model::wire_id(cluster.id)},
            {"name", cluster.name},
            {"description", cluster.description},
            {"ownerId", cluster.owner},
            {"createTime", to_millis(cluster.created_at)},
            {"expireTime", millis_or_zero(cluster.expires_at)},
            {"numNodes", cluster.node_count},
            {"status", to_word(cluster.status)},
            {"provider", brief(cluster.provider)},
            {"clusterTemplate", brief(cluster.cluster_template)},
            {"services", cluster.services},
            {"progress", progress_json(cluster.latest_job)}};
}

Json status_json(const store::ClusterState& cluster) {
    const Json progress = progress_json(cluster.latest_job);
    return {{"clusterid", model::wire_id(cluster.id)},      {"stepstotal", progress["stepstotal"]},
            {"stepscompleted", progress["stepscompleted"]}, {"status", to_word(cluster.status)},
            {"actionstatus", progress["actionstatus"]},     {"action", progress["action"]}};
}

Json to_json(const ClusterDetails& details) {
    const model::Cluster& cluster = details.cluster;
    provisioner::base::Memo memo;
    const macros::MacroContext context{
        .cluster_owner = cluster.owner, .nodes = &details.nodes, .memo = &memo};
    Json json{{"id", model::wire_id(cluster.id)},
              {"name", cluster.name},
              {"description", cluster.description},
              {"account", {{"userId", cluster.owner}, {"tenantId", details.tenant_uid}}},
              {"createTime", to_millis(cluster.created_at)},
              {"expireTime", millis_or_zero(cluster.expires_at)},
              {"provider", model::shown_entry(model::to_json(cluster.snapshot.provider))},
              {"clusterTemplate", model::to_json(cluster.snapshot.cluster_template)},
              {"nodes", nodes_json(details, context)},
              {"services", cluster.services},
              {"latestJobId", model::wire_id(cluster.id, cluster.latest_job)},
              {"status", to_word(cluster.status)},
              {"config", cluster.config},
              {"links", links_json(cluster.snapshot.cluster_template.links, context)},
              {"progress", progress_json(details.latest_job)}};
    if (!message_of(details).empty()) json["message"] = message_of(details);
    if (details.failed_deletions) {
        const auto& failed = *details.failed_deletions;
        json["failedDeletions"] = {{"count", failed.count},
                                   {"message", failed.message},
                                   {"nextTime", to_millis(model::next_deletion(failed))}};
    }
    if (details.cost) json["cost"] = to_json(*details.cost);
    return json;
}

Json stored_node_json(const ClusterDetails& details, const model::Node& node) {
    Json services = Json::array();
    for (const model::Service* service : services_of(details, node)) {
        services.push_back(stored_service_json(*service));
    }
    Json actions = actions_json(details, node.id);
    for (Json& action : actions)
        action["status"] = in_capitals(action["status"].get<std::string>());
    return {{"id", node.uuid},
            {"clusterId", model::wire_id(details.cluster.id)},
            {"services", std::move(services)},
            {"properties", model::properties_json(node)},
            {"actions", std::move(actions)},
            {"provisionerResults", node.results}};
}

Json to_json(const operations::ClusterPreview& preview) {
    Json nodes = Json::array();
    for (const auto& node : preview.nodes) {
        nodes.push_back({{"nodenum", node.nodenum},
                         {"hardwaretype", node.hardware_type},
                         {"imagetype", node.image_type},
                         {"services", node.services}});
    }
    Json tasks = Json::array();
    for (const auto& [action, count] : preview.tasks) {
        tasks.push_back({{"action", to_word(action)}, {"count", count}});
    }
    auto layout = layout_json(preview.layout);
    for (std::size_t i = 0; i < preview.reasons.size(); ++i) {
        layout[i]["reasons"] = reasons_json(preview.reasons[i]);
    }
    Json json{
        {"layout", std::move(layout)},       {"nodes", std::move(nodes)},
        {"tasks", std::move(tasks)},         {"taskCount", preview.task_count},
        {"stageCount", preview.stage_count}, {"expireTime", millis_or_zero(preview.expires_at)},
        {"provider", preview.provider}};
    if (preview.cost) {
        json["cost"] = to_json(*preview.cost);
        json["cost"]["untilExpiry"] = amounts_json(preview.cost_of_lease);
    }
    if (!preview.warnings.empty()) json["warnings"] = preview.warnings;
    return json;
}

Json to_json(const operations::SizePreview& size) {
    Json json{{"numMachines", size.machines}};
    if (size.problems.empty()) {
        json["layout"] = layout_json(size.layout);
        json["taskCount"] = size.task_count;
        if (size.cost) json["cost"] = to_json(*size.cost);
        return json;
    }
    json["problems"] = http::problems_json(size.problems);
    return json;
}

Json to_json(const store::TranscriptPiece& piece) {
    Json json{{"id", piece.id},
              {"attempt", piece.attempt},
              {"stream", piece.stream},
              {"time", to_millis(piece.at)}};
    if (piece.missing > 0) json["missing"] = piece.missing;
    json["text"] = piece.body;
    return json;
}

}  // namespace fcgi::api
