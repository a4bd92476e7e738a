#pragma once

#include <vector>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/action.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/clusters/service_states.hpp"

namespace fcgi::pages {

/// What a job that configures a cluster will do: plan_json(), and `touched`: [{text}], which
/// services it restarts on which machines, which it starts again, and which it configures while
/// they run. Services that have the same machines share a sentence. TaskKey::node is an index into
/// `nodes`; `stopped`: where services are stopped now. Pure.
provisioner::base::Json configuration_plan_json(
    const provisioner::planner::TaskGraph& graph,
    const std::vector<provisioner::model::Node>& nodes, const Labels& labels,
    const provisioner::store::ServicePlaces& stopped = {});

}  // namespace fcgi::pages
