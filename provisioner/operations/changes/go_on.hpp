#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"

namespace provisioner::operations {

// Whether a cluster can go on without what failed. Pages offer only ways that the change itself, a
// shrink or a removal of services, does not refuse.

/// Which machines count as those that `job`, the latest of the cluster, has left failed: after an
/// abort those that are not set up yet. Nothing if none do: after a deletion or a stop of services,
/// and where no job has failed. The way without them and the form that it leads to both take from
/// here which ones are meant. Pure.
std::optional<store::FailedMachines> failed_machines_after(const model::Cluster& cluster,
                                                           const std::optional<model::Job>& job);

/// Whether the rules of the cluster's own copy of its template, and what its services need, allow
/// it without the machines that failed. `groups`: all machines that stay. False if none failed.
/// Pure.
bool can_spare_failed(const model::Cluster& cluster,
                      const std::vector<store::MachineGroup>& groups);

/// Whether these services can be removed: no other one needs them, and each machine keeps one.
/// False if there are none. Pure.
bool can_spare_services(const model::Cluster& cluster,
                        const std::vector<store::MachineGroup>& groups,
                        const std::vector<std::string>& services);

/// Whether any machine can be removed, alone or with others. `groups`: all machines that stay.
/// Pure.
bool can_spare_any(const model::Cluster& cluster, const std::vector<store::MachineGroup>& groups);

}  // namespace provisioner::operations
