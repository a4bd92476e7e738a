#pragma once

#include <span>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Adds output to the transcripts of attempts, inside the transaction that is open on the
/// connection. Deletes the middle of transcripts that exceed their bounds (transcript/bounds.hpp).
/// Pieces are compressed and inserted in the order given; does nothing for none. Throws
/// sql::SQLException.
///
/// Before: the output of one claim is in order of from_byte, over all calls.
/// After: every piece of a claim with its task's latest fence is stored once.
/// `daily` is how many bytes, compressed, are stored of a tenant on one day in UTC; 0: without
/// limit. Beyond it pieces are dropped, but for our own notes; one of these says so where an
/// attempt begins. Two at once: the fence is read without a lock, so output of a claim that another
/// one replaces at this moment may still be stored. No job is locked; the foreign key share-locks
/// the tasks' rows.
void store_output(sql::Connection& connection, std::span<const Output> output,
                  std::int64_t daily = 0);

}  // namespace provisioner::queue
