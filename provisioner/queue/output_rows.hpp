#pragma once

#include <span>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Adds what attempts printed to their transcripts, inside the transaction that is open on the
/// connection, and takes the middle of those out that have printed more than is kept. Leaves out
/// what claims printed that are no longer the task's last. Locks nothing but the rows it writes.
/// Throws sql::SQLException.
void store_output(sql::Connection& connection, std::span<const Output> output);

}  // namespace provisioner::queue
