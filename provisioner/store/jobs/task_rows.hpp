#pragma once

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

/// The task of a row with these columns of table task: id, job_id, node_id, action, service, state,
/// attempt, message, started_at and finished_at.
inline model::Task read_task(Rows& row) {
    return {
        .id = model::TaskId{row.get<long long>("id")},
        .job = model::JobId{row.get<long long>("job_id")},
        .node = model::NodeId{row.get<long long>("node_id")},
        .action = base::stored_word<model::Action>(row.get<std::string>("action")),
        .service = row.get<std::string>("service"),
        .state = base::stored_word<model::TaskState>(row.get<std::string>("state")),
        .attempt = row.get<int>("attempt"),
        .message = row.get<std::string>("message"),
        .started_at = optional_time_column(row, "started_at"),
        .finished_at = optional_time_column(row, "finished_at"),
    };
}

}  // namespace provisioner::store
