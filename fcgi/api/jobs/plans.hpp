#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::api {

/// A job with everything its plan shows, read in one transaction.
struct JobPlan {
    provisioner::model::Job job;
    /// All tasks of the job, by id. May be empty.
    std::vector<provisioner::model::Task> tasks;
    /// (before, after): `after` waits for `before`. Both are in `tasks`.
    std::vector<std::pair<provisioner::model::TaskId, provisioner::model::TaskId>> edges;
    /// Node id -> uuid, for all nodes the cluster ever had. A node that left still has tasks in old
    /// plans.
    std::map<provisioner::model::NodeId, std::string> nodes;
};

/// The task graph as the stages of the wire contract: {id, clusterId, action, currentStage,
/// stages}. No two tasks of a stage are on the same node. `currentStage` is the index of the first
/// stage that is not done, of the last one if all are done.
///
/// `askedBy` is outside the wire contract: {"kind":"user","name":"bob"} or {"kind":"lease"}. It is
/// absent if the origin of the job is not known.
provisioner::base::Json to_json(const JobPlan& plan);

/// Most tasks that the plans of one answer have: a cluster that was often restarted has very many.
constexpr long long most_planned_tasks = 100'000;

/// The part of the plans of `jobs` that a request asks for, in the order of the jobs. `plan_of`
/// reads and writes one plan; it is called for the plans of this part alone, and for none behind
/// the limit of tasks. 400 beyond that limit.
http::Response plans_of(
    const http::Request& request, const std::vector<provisioner::model::Job>& jobs,
    const std::function<provisioner::base::Json(const provisioner::model::Job&)>& plan_of);

/// GET /v2/clusters/{id}/plans: newest job first. 404 if the caller may not see the cluster.
http::Response list_plans(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/plans/{job}. 400 if the job id is malformed or belongs to another cluster;
/// 404 if it does not exist.
http::Response show_plan(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
