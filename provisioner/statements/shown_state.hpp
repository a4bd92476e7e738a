#pragma once

namespace provisioner::statements {

/// Whether a retry with another configuration has put a later task of the job, with the same node,
/// action and service, in the place of a task. A replaced task is stored as done, so that nothing
/// waits for it, with more attempts_offset than attempts, which no other task has. It is in no
/// count of the job.
inline constexpr auto is_replaced = " (task.attempts_offset > task.attempt) ";

/// The state of a task as pages show it. A task that was cancelled while it waited for another
/// attempt has failed: its last attempt did, and there is no next one. An attempt that was ended
/// because its job was over (job_end.hpp) has no code and was no failure. Neither was one that a
/// person's abort stopped: its message is model::stopped_by_abort_message. Nor does an attempt
/// before a retry count, unless the task was replaced: of such a task only its attempts tell
/// anything. Most tasks of a large job are told by the first line.
inline constexpr auto shown_state = R"sql(
           IF(task.attempts_offset = 0 AND task.state NOT IN ('failed', 'cancelled'), task.state,
           IF((task.state = 'cancelled' AND task.attempt > task.attempts_offset OR
               task.attempts_offset > task.attempt AND task.attempt > 0) AND
              (SELECT attempt.status = 'failed' AND attempt.status_code IS NOT NULL FROM attempt
               WHERE attempt.task_id = task.id AND attempt.number = task.attempt), 'failed',
              IF(task.state = 'failed' AND task.message = 'stopped because the job was aborted',
                 'cancelled', IF(task.attempts_offset > 0 AND task.attempt = 0, 'cancelled', task.state))))
)sql";

}  // namespace provisioner::statements
