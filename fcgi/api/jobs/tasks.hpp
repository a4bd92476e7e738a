#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::api {

/// A task as scripts that follow a cluster see it: {id, node, hostname, action, service, state,
/// attempt, message, startTime, finishTime}. Times are milliseconds since 1970, 0 if it has not
/// happened. `node` may be null; then node and hostname are null.
provisioner::base::Json task_json(const provisioner::model::Task& task,
                                  provisioner::model::ClusterId cluster,
                                  const provisioner::model::Node* node);

/// {task, state, attempt, next, pieces}. `next` is the value of `after` for the next request: the
/// id of the last piece, or `after` itself if there is none. `pieces` are in the order they were
/// printed.
provisioner::base::Json transcript_json(
    const std::string& task_id, const provisioner::model::Task& task, std::int64_t after,
    const std::vector<provisioner::store::TranscriptPiece>& pieces);

/// GET /v2/clusters/{id}/tasks: the tasks of the latest job, by id; an empty list without a job.
/// Outside the wire contract.
http::Response list_tasks(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/tasks/{id}/transcript?after=N: what a task printed after piece N (default 0), at most
/// 500 pieces. A script repeats it with `next` until the task has ended and no piece comes. Outside
/// the wire contract.
http::Response show_transcript(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
