#pragma once

#include <chrono>
#include <string>

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Puts tasks into the queue's head (table ready_task), from where they are claimed after `run_in`.
/// `tasks` is a list of their ids for IN. Tasks of a paused job stay out until it is resumed. The
/// rows of their jobs must be locked.
void queue_tasks(sql::Connection& connection, const std::string& tasks,
                 std::chrono::milliseconds run_in);

}  // namespace provisioner::queue
