#pragma once

#include <chrono>
#include <string>

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Puts tasks into the queue's head (table ready_task), due `run_in` from now by the database's
/// clock. `tasks` is a list of ids for IN, not empty, at most a few hundred. Tasks of a paused job
/// are left out: resuming the job queues them. The state of the tasks is not checked.
///
/// Before: the rows of the tasks, or of their jobs, are locked. None of the tasks is in the head: a
/// second row would break the primary key.
/// After: when the transaction commits with the tasks ready, any daemon can claim them.
/// Two at once: a pause locks job and tasks before it empties the head. When it commits first, this
/// queues nothing; otherwise it waits for the commit and removes the rows.
void queue_tasks(sql::Connection& connection, const std::string& tasks,
                 std::chrono::milliseconds run_in);

}  // namespace provisioner::queue
