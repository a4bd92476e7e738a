#pragma once

#include <string>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/statements/shown_state.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

/// The columns of read_task, from a table `task`, with an expression for the state. The last
/// attempt is looked up only where its time is another one than the task's.
inline std::string task_columns_with(const std::string& state) {
    return R"sql(
    SELECT task.id, task.job_id, task.node_id, task.action, task.service, )sql" +
           state + R"sql( AS state, task.attempt,
           task.message, task.started_at, task.finished_at, task.attempts_offset,
           IF(task.attempt > 1 OR task.state IN ('ready', 'cancelled'),
              (SELECT attempt.started_at FROM attempt
               WHERE attempt.task_id = task.id AND attempt.number = task.attempt),
              NULL) AS attempt_began,
           IF(task.attempt > 1 OR task.state IN ('ready', 'cancelled'),
              (SELECT attempt.finished_at FROM attempt
               WHERE attempt.task_id = task.id AND attempt.number = task.attempt),
              NULL) AS attempt_ended
)sql";
}

/// With the state that the task has.
inline const std::string task_columns = task_columns_with("task.state");
/// With the state that pages show.
inline const std::string shown_task_columns = task_columns_with(statements::shown_state);

/// The task of a row of such columns.
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
        .attempts_before = row.get<int>("attempts_offset"),
        .attempt_began = optional_time_column(row, "attempt_began"),
        .attempt_ended = optional_time_column(row, "attempt_ended"),
    };
}

}  // namespace provisioner::store
