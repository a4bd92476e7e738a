#include "fcgi/api/jobs/plans.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "provisioner/planner/job_stages.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::to_word;

namespace {

namespace model = provisioner::model;
namespace planner = provisioner::planner;
namespace store = provisioner::store;

Json asker_json(const model::Asker& asker) {
    if (asker.user.value == 0) return {{"kind", asker.name}};
    return {{"kind", "user"}, {"name", asker.name}};
}

Json planned_task_json(const JobPlan& plan, const model::Task& task) {
    const auto node = plan.nodes.find(task.node);
    return {{"id", model::wire_id(plan.job.cluster, plan.job.id, task.id)},
            {"taskName", provisioner::base::in_capitals(to_word(task.action))},
            {"nodeId", node == plan.nodes.end() ? "" : node->second},
            {"service", task.service}};
}

std::map<model::NodeId, std::string> uuids_of(store::Connection& connection,
                                              model::ClusterId cluster) {
    std::map<model::NodeId, std::string> uuids;
    for (const model::Node& node : store::nodes_ever_of(connection, cluster))
        uuids[node.id] = node.uuid;
    return uuids;
}

JobPlan read_plan(store::Connection& connection, const model::Job& job) {
    return {.job = job,
            .tasks = store::tasks_of(connection, job.id),
            .edges = store::edges_of(connection, job.id),
            .nodes = uuids_of(connection, job.cluster)};
}

/// One plan, or the 404 that says what is missing.
Response answer_with_plan(store::Connection& connection, const model::Caller& caller,
                          const Request& request, const WireJobId& id) {
    if (!store::find_summary(connection, caller, id.cluster)) {
        return http::text(404, "cluster " + request.path_value("id") + " not found.");
    }
    const auto job = store::find_job(connection, id.job);
    if (!job || job->cluster != id.cluster) {
        return http::text(404, "Job " + request.path_value("job") + " not found.");
    }
    return http::json(200, to_json(read_plan(connection, *job)));
}

}  // namespace

Json to_json(const JobPlan& plan) {
    const auto stages = planner::job_stages(plan.tasks, plan.edges);
    Json stages_json = Json::array();
    for (const auto& stage : stages) {
        Json tasks = Json::array();
        for (const model::Task* task : stage) tasks.push_back(planned_task_json(plan, *task));
        stages_json.push_back(std::move(tasks));
    }
    Json json{{"id", model::wire_id(plan.job.cluster, plan.job.id)},
              {"clusterId", model::wire_id(plan.job.cluster)},
              {"action", provisioner::base::in_capitals(to_word(plan.job.operation))},
              {"currentStage", planner::current_stage(stages)},
              {"stages", std::move(stages_json)}};
    if (!plan.job.asked_by.name.empty()) json["askedBy"] = asker_json(plan.job.asked_by);
    return json;
}

Response plans_of(const Request& request, const std::vector<model::Job>& all,
                  const std::function<Json(const model::Job&)>& plan_of) {
    std::map<std::string, const model::Job*> jobs;
    Json ids = Json::array();
    for (const model::Job& job : all) {
        const auto id = model::wire_id(job.cluster, job.id);
        ids.push_back({{"id", id}});
        jobs.emplace(id, &job);
    }
    long long tasks = 0;
    auto response = listed(request, ids, "id", [&](const Json& entry) -> Json {
        const model::Job& job = *jobs.at(entry.at("id").get<std::string>());
        tasks += job.tasks_total;
        return tasks > most_planned_tasks ? Json() : plan_of(job);
    });
    if (tasks <= most_planned_tasks) return response;
    return http::text(400, "These plans have more than " + std::to_string(most_planned_tasks) +
                               " tasks. Ask for fewer at once: ?limit=10");
}

Response list_plans(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    return app.database.read([&](store::Connection& connection) {
        if (store::find_summary(connection, visitor.who(), *id)) {
            const auto jobs = store::jobs_of(connection, *id);
            return plans_of(request, jobs, [&](const model::Job& job) {
                return to_json(read_plan(connection, job));
            });
        }
        return http::text(404, "Plans for cluster " + request.path_value("id") + " not found.");
    });
}

Response show_plan(const Request& request, const Visitor& visitor, App& app) {
    const auto cluster = cluster_id_in(request.path_value("id"));
    if (!cluster) return no_cluster_id(request);
    const std::string& job = request.path_value("job");
    const auto id = job_id_in(job);
    if (!id) return http::text(400, "invalid job id string " + job);
    if (id->cluster != *cluster) {
        return http::text(400,
                          "Job " + job + " does not belong to cluster " + request.path_value("id"));
    }
    return app.database.read([&](store::Connection& connection) {
        return answer_with_plan(connection, visitor.who(), request, *id);
    });
}

}  // namespace fcgi::api
