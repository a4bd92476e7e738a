#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::planner {

/// Stages of stored tasks, in order; each stage lists its tasks by node. Pointers into the tasks
/// they were made from.
using JobStages = std::vector<std::vector<const model::Task*>>;

/// The stages of a stored job, computed like stages() of a graph. The API's `plans` and the bodies
/// of callbacks show them.
///
/// `edges` holds (before, after) pairs among `tasks`, which must outlive the result. Throws
/// std::out_of_range for an edge to an unknown task, and std::logic_error for a circle.
JobStages job_stages(const std::vector<model::Task>& tasks,
                     const std::vector<std::pair<model::TaskId, model::TaskId>>& edges);

/// The index of the first stage with a task that is not done. When all are done: the index of the
/// last stage. 0 without stages. Failed and cancelled tasks are not done.
std::size_t current_stage(const JobStages& stages);

}  // namespace provisioner::planner
