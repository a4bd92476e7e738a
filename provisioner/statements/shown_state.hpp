#pragma once

namespace provisioner::statements {

/// The state of a task as pages show it. A task that was cancelled while it waited for another
/// attempt has failed: its last attempt did, and there is no next one. An attempt that was ended
/// because its job was over (job_end.hpp) has no code and was no failure. Neither was one that a
/// person's abort stopped: its message is model::stopped_by_abort_message.
inline constexpr auto shown_state = R"sql(
           IF(task.state = 'cancelled' AND task.attempt > 0 AND
              (SELECT attempt.status = 'failed' AND attempt.status_code IS NOT NULL FROM attempt
               WHERE attempt.task_id = task.id AND attempt.number = task.attempt), 'failed',
              IF(task.state = 'failed' AND task.message = 'stopped because the job was aborted',
                 'cancelled', task.state))
)sql";

}  // namespace provisioner::statements
