#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// The one way in which changes are written. Only files of this folder include it.

/// Whether other services are stored for a machine that was there before.
bool are_services_changed(const NodeChange& node);

/// Whether the machine is deleted by the change.
bool is_going(const NodeChange& node);

/// Writes nodes, services and the job of a change to a cluster whose row is locked. The latest job
/// of its cluster is then the new one.
void write_change(store::Connection& connection, PreparedChange& change,
                  const model::Asker& asked_by, base::Timestamp now);

}  // namespace provisioner::operations
