#pragma once

#include <vector>

#include "provisioner/planner/passes/change_places.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::planner {

// Nodes that resume (Membership::resumes): their creation is planned as a whole, and what a failed
// job has done of it is left out. So the rest is ordered like a creation.

/// On nodes that resume, stops the services whose start has begun before they are configured.
void stop_what_has_begun(TaskGraph& graph, const ChangePlaces& places);

/// The graph without the steps that are done, and without tasks of settled services that are not
/// reconfigured. What waited for such a task waits for all that the task waited for. `rounds` are
/// those of `graph`. O(V + E) as long as few tasks wait for each one that is left out.
TaskGraph leave_out_done(const TaskGraph& graph, const ChangePlaces& places,
                         const std::vector<int>& rounds);

}  // namespace provisioner::planner
