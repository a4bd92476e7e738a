#pragma once

#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Stores what tasks that are done told of their nodes: results are merged member by member,
/// addresses and the host name replace what was there.
///
/// Before: the rows of the jobs are locked.
/// After: job.node_changes has grown by one for each job with news, and node.changed_in says so of
/// the nodes: whoever keeps a copy of a cluster reads only these again.
/// At once: nodes are locked in order of their ids; the last one wins where two tell the same
/// member.
void store_node_facts(sql::Connection& connection, const std::vector<const Finished*>& succeeded);

/// Notes from when to when machines were there (table machine_span, for reports of usage): a span
/// begins with the end of a create and ends with the end of a delete.
void note_machines(sql::Connection& connection, const std::vector<const Finished*>& succeeded);

}  // namespace provisioner::queue
