#include "fcgi/api/jobs/tasks.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::to_word;

namespace {

namespace model = provisioner::model;
namespace store = provisioner::store;

const model::Node* find_node(const std::vector<model::Node>& nodes, model::NodeId id) {
    for (const model::Node& node : nodes) {
        if (node.id == id) return &node;
    }
    return nullptr;
}

std::optional<Json> read_tasks(store::Connection& connection, const model::Caller& caller,
                               model::ClusterId id) {
    const auto cluster = store::find_summary(connection, caller, id);
    if (!cluster) return std::nullopt;
    Json tasks = Json::array();
    if (!cluster->latest_job) return tasks;
    const auto nodes = store::nodes_ever_of(connection, id);
    for (const model::Task& task : store::tasks_of(connection, cluster->latest_job->id)) {
        tasks.push_back(task_json(task, id, find_node(nodes, task.node)));
    }
    return tasks;
}

/// The task, if it belongs to that job and the caller may see its cluster.
std::optional<model::Task> visible_task(store::Connection& connection, const model::Caller& caller,
                                        const WireTaskId& id) {
    if (!store::find_summary(connection, caller, id.cluster)) return std::nullopt;
    const auto task = store::find_task(connection, id.cluster, id.task);
    return task && task->job == id.job ? task : std::nullopt;
}

}  // namespace

Json task_json(const model::Task& task, model::ClusterId cluster, const model::Node* node) {
    return {{"id", model::wire_id(cluster, task.job, task.id)},
            {"node", node == nullptr ? Json() : Json(node->uuid)},
            {"hostname", node == nullptr ? Json() : Json(node->hostname)},
            {"action", to_word(task.action)},
            {"service", task.service},
            {"state", to_word(task.state)},
            {"attempt", task.attempt},
            {"message", task.message},
            {"startTime", millis_or_zero(task.started_at)},
            {"finishTime", millis_or_zero(task.finished_at)}};
}

Json transcript_json(const std::string& task_id, const model::Task& task, std::int64_t after,
                     const std::vector<store::TranscriptPiece>& pieces) {
    Json array = Json::array();
    for (const store::TranscriptPiece& piece : pieces) array.push_back(to_json(piece));
    return {{"task", task_id},
            {"state", to_word(task.state)},
            {"attempt", task.attempt},
            {"next", pieces.empty() ? after : pieces.back().id},
            {"pieces", std::move(array)}};
}

Response list_tasks(const Request& request, const Visitor& visitor, App& app) {
    const auto id = cluster_id_in(request.path_value("id"));
    if (!id) return no_cluster_id(request);
    const auto tasks = app.database.read(
        [&](store::Connection& connection) { return read_tasks(connection, visitor.who(), *id); });
    if (tasks) return listed(request, *tasks, "id");
    return http::text(404, "cluster " + request.path_value("id") + " not found.");
}

Response show_transcript(const Request& request, const Visitor& visitor, App& app) {
    const std::string& text = request.path_value("id");
    const auto id = task_id_in(text);
    if (!id) return http::text(400, "invalid task id string " + text);
    const auto after = provisioner::base::parse_number(request.query_value("after").value_or("0"));
    if (!after) return http::text(400, "after must be the number of a piece");
    const auto transcript = app.database.read([&](store::Connection& connection) {
        const auto task = visible_task(connection, visitor.who(), *id);
        if (!task) return Json();
        return transcript_json(text, *task, *after,
                               store::transcript_after(connection, task->id, *after));
    });
    if (!transcript.is_null()) return http::json(200, transcript);
    return http::text(404, "task " + text + " not found.");
}

}  // namespace fcgi::api
