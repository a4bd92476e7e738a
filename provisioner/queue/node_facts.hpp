#pragma once

#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Stores the reported facts of tasks that are done, whose outcomes hold Succeeded. Facts are
/// merged into the node's results at top level; addresses and hostname replace the old ones unless
/// empty. Does nothing when no task reported anything.
///
/// Before: the rows of the jobs are locked.
/// After: job.node_changes has grown by one for each job with news, and node.changed_in of its
/// nodes has that value. A daemon that keeps a copy of a cluster reads only these nodes again. Two
/// at once: node rows are locked in order of their ids until the transaction ends, so no merge
/// overwrites another. For one member the last report in the batch wins.
void store_node_facts(sql::Connection& connection, const std::vector<const Finished*>& succeeded);

/// Notes when machines existed (table machine_span, for reports of usage). A span begins when a
/// create is done and ends when a delete is done; all other actions are ignored. It has the kind of
/// the machine, by which it is priced. A provider that took another flavor than the node's reports
/// it as the fact "flavor".
///
/// Before: as above, and each claim is counted once.
/// After: a node has an open span while it has a machine, as far as its tasks say.
/// Two at once: a delete and a create of one node depend on each other, so they are never in one
/// batch.
void note_machines(sql::Connection& connection, const std::vector<const Finished*>& succeeded);

}  // namespace provisioner::queue
