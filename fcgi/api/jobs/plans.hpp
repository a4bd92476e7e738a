#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::api {

/// A job with everything its plan shows.
struct JobPlan {
    provisioner::model::Job job;
    std::vector<provisioner::model::Task> tasks;
    /// (before, after)
    std::vector<std::pair<provisioner::model::TaskId, provisioner::model::TaskId>> edges;
    /// The ids of the nodes as the outside sees them.
    std::map<provisioner::model::NodeId, std::string> nodes;
};

/// The graph seen as stages, as the wire contract knows plans; `currentStage` is the first that has
/// not ended. `askedBy` is ours and there when it is known who asked for the job:
/// {"kind":"user","name":"bob"} or {"kind":"lease"}.
provisioner::base::Json to_json(const JobPlan& plan);

/// GET /v2/clusters/{id}/plans: newest job first.
http::Response list_plans(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/plans/{job}
http::Response show_plan(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
