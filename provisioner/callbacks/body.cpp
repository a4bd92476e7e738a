#include "provisioner/callbacks/body.hpp"

#include <algorithm>

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/planner/job_stages.hpp"

namespace provisioner::callbacks {

using base::Json;

namespace {

template <class Enum>
std::string in_capitals(Enum value) {
    std::string word = base::to_word(value);
    for (char& c : word) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return word;
}

void add_header(Json& json, const model::EntityHeader& header) {
    if (header.label) json["label"] = *header.label;
    if (header.description) json["description"] = *header.description;
    if (header.icon) json["icon"] = *header.icon;
    json["version"] = header.version;
    json["name"] = header.name;
}

Json provider_json(const model::Provider& provider) {
    Json json{{"providerType", provider.provider_type},
              {"provisionerFields", model::without_sealed(provider.fields)}};
    add_header(json, provider.header);
    return json;
}

Json constraints_json(const model::Constraints& constraints) {
    Json services = Json::object();
    for (const auto& [name, rule] : constraints.services) {
        services[name] = {{"requiredHardwareTypes", rule.hardware_types},
                          {"requiredImageTypes", rule.image_types},
                          {"minCount", rule.min},
                          {"maxCount", rule.max}};
    }
    return {{"serviceConstraints", std::move(services)},
            {"layoutConstraint",
             {{"servicesThatMustCoexist", constraints.must_coexist},
              {"servicesThatMustNotCoexist", constraints.cant_coexist}}},
            {"sizeConstraint", {{"min", constraints.size_min}, {"max", constraints.size_max}}}};
}

Json template_json(const model::ClusterTemplate& source) {
    Json json{{"includes", source.includes},
              {"clusterDefaults", model::to_json(source.defaults)},
              {"constraints", constraints_json(source.constraints)},
              {"compatibilities", model::to_json(source.compatibility)},
              {"administration",
               {{"leaseDuration",
                 {{"initial", source.lease.initial.count()},
                  {"max", source.lease.max.count()},
                  {"step", source.lease.step.count()}}}}},
              {"links", model::links_json(source.links)}};
    add_header(json, source.header);
    return json;
}

Json cluster_json(const store::CallbackFacts& facts, const model::Callback& callback) {
    const model::Cluster& cluster = facts.work.cluster;
    Json nodes = Json::array();
    for (const model::Node& node : facts.work.nodes) nodes.push_back(node.uuid);
    return {{"id", model::wire_id(cluster.id)},
            {"description", cluster.description},
            {"createTime", base::to_millis(cluster.created_at)},
            {"expireTime", cluster.expires_at ? base::to_millis(*cluster.expires_at) : 0},
            {"provider", provider_json(cluster.snapshot.provider)},
            {"clusterTemplate", template_json(cluster.snapshot.cluster_template)},
            {"nodes", std::move(nodes)},
            {"services", cluster.services},
            {"latestJobId", model::wire_id(cluster.id, callback.job)},
            {"account", {{"userId", cluster.owner}, {"tenantId", facts.tenant_uid}}},
            {"status", in_capitals(callback.cluster_status)},
            {"config", cluster.config},
            {"name", cluster.name}};
}

/// The wire contract's word for a task state. Tasks without a claim count as not submitted.
const char* task_status(model::TaskState state) {
    switch (state) {
        case model::TaskState::blocked:
        case model::TaskState::ready:
            return "NOT_SUBMITTED";
        case model::TaskState::claimed:
            return "IN_PROGRESS";
        case model::TaskState::done:
            return "COMPLETE";
        case model::TaskState::failed:
            return "FAILED";
        case model::TaskState::cancelled:
            return "DROPPED";
    }
    throw std::logic_error("unknown task state");
}

Json job_json(const store::CallbackFacts& facts, const model::Callback& callback) {
    const auto id_of = [&](const model::Task& task) {
        return model::wire_id(callback.cluster, callback.job, task.id);
    };
    const auto stages = planner::job_stages(facts.tasks, facts.edges);
    Json staged = Json::array();
    for (const auto& stage : stages) {
        Json ids = Json::array();
        for (const model::Task* task : stage) ids.push_back(id_of(*task));
        staged.push_back(std::move(ids));
    }
    Json statuses = Json::object();
    for (const model::Task& task : facts.tasks) statuses[id_of(task)] = task_status(task.state);
    Json json{{"jobId", model::wire_id(callback.cluster, callback.job)},
              {"clusterId", model::wire_id(callback.cluster)},
              {"clusterAction", in_capitals(facts.job.operation)},
              {"stagedTasks", std::move(staged)},
              {"currentStageNumber", planner::current_stage(stages)},
              {"taskStatus", std::move(statuses)},
              {"jobStatus", in_capitals(callback.job_status)}};
    if (!callback.message.empty()) json["statusMessage"] = callback.message;
    return json;
}

Json names_json(const model::DependencyNames& names) {
    std::vector<std::string> all = names.required;
    all.insert(all.end(), names.used.begin(), names.used.end());
    return {{"requires", names.required}, {"uses", names.used}, {"dependencies", all}};
}

Json service_json(const model::Service& service) {
    const model::Dependencies& needs = service.dependencies;
    std::vector<std::string> required = needs.install.required;
    required.insert(required.end(), needs.runtime.required.begin(), needs.runtime.required.end());
    Json actions = Json::object();
    for (const auto& [action, done] : service.actions) {
        actions[in_capitals(action)] = {{"type", done.type}, {"fields", Json(done.fields)}};
    }
    Json json{{"dependencies",
               {{"provides", needs.provides},
                {"conflicts", needs.conflicts},
                {"install", names_json(needs.install)},
                {"runtime", names_json(needs.runtime)},
                {"requiredServices", required}}},
              {"provisionerActions", std::move(actions)},
              {"links", model::links_json(service.links)}};
    add_header(json, service.header);
    return json;
}

Json attempt_json(const store::Attempt& attempt, model::ClusterId cluster) {
    std::string status = attempt.status;
    std::ranges::transform(status, status.begin(), [](char c) {
        return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    });
    return {{"taskId", model::wire_id(cluster, attempt.job, attempt.task)},
            {"service", attempt.service},
            {"action", in_capitals(attempt.action)},
            {"submitTime", base::to_millis(attempt.started_at)},
            {"statusTime", attempt.finished_at ? base::to_millis(*attempt.finished_at) : 0},
            {"status", status}};
}

Json node_json(const store::CallbackFacts& facts, const model::Node& node) {
    Json services = Json::array();
    for (const model::Service& service : facts.work.cluster.snapshot.services) {
        if (std::ranges::count(node.services, service.header.name) == 0) continue;
        services.push_back(service_json(service));
    }
    Json actions = Json::array();
    for (const store::Attempt& attempt : facts.attempts) {
        if (attempt.node == node.id) actions.push_back(attempt_json(attempt, node.cluster));
    }
    return {{"id", node.uuid},
            {"clusterId", model::wire_id(node.cluster)},
            {"services", std::move(services)},
            {"properties", model::properties_json(node)},
            {"actions", std::move(actions)},
            {"provisionerResults", node.results}};
}

}  // namespace

Json callback_body(const store::CallbackFacts& facts, const model::Callback& callback) {
    Json nodes = Json::array();
    for (const model::Node& node : facts.work.nodes) nodes.push_back(node_json(facts, node));
    return {{"cluster", cluster_json(facts, callback)},
            {"job", job_json(facts, callback)},
            {"nodes", std::move(nodes)}};
}

}  // namespace provisioner::callbacks
