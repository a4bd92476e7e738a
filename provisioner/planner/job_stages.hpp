#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::planner {

/// Stages of tasks, borrowed from those they were made from.
using JobStages = std::vector<std::vector<const model::Task*>>;

/// The stages of a stored job, as `stages` has those of a graph. `edges` are (before, after) among
/// `tasks`, which must outlive the result.
JobStages job_stages(const std::vector<model::Task>& tasks,
                     const std::vector<std::pair<model::TaskId, model::TaskId>>& edges);

/// The index of the first stage that is not done; of the last one when all are; 0 without stages.
std::size_t current_stage(const JobStages& stages);

}  // namespace provisioner::planner
