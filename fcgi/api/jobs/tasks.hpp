#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::api {

/// A task as the live page of a cluster shows it: {id, node, hostname, action, service, state,
/// attempt, message, startTime, finishTime}, times in milliseconds and 0 for what has not happened.
/// `node` is null when it is not known.
provisioner::base::Json task_json(const provisioner::model::Task& task,
                                  provisioner::model::ClusterId cluster,
                                  const provisioner::model::Node* node);

/// {task, state, attempt, next, pieces}: `next` is what to ask after the next time.
provisioner::base::Json transcript_json(
    const std::string& task_id, const provisioner::model::Task& task, std::int64_t after,
    const std::vector<provisioner::store::TranscriptPiece>& pieces);

/// GET /v2/clusters/{id}/tasks (ours): the tasks of the latest job, in the order they were planned.
http::Response list_tasks(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/tasks/{id}/transcript?after=N (ours): what a task has printed since piece N, at most 500
/// pieces at once.
http::Response show_transcript(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
