#pragma once

#include <optional>
#include <set>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/clusters/leaving_store.hpp"

namespace provisioner::operations {

// Machines that a failed job was taking away, and that can stay (ShrinkCluster::keep).

/// Those that still serve: each of their services that runs at all was started last and not
/// stopped, and nobody has begun to delete them. By number. Empty unless the latest job of the
/// cluster has failed.
std::vector<store::LeavingMachine> serving_machines(store::Connection& connection,
                                                    const model::Cluster& cluster);

/// The way on after a replacement or a shrink that failed, or was aborted, before the machines were
/// touched that it takes away: they all stay.
struct WayToKeep {
    /// Of a replacement: the numbers of the new machines, which are not finished. Empty of a
    /// shrink.
    std::set<int> without{};
    std::vector<store::LeavingMachine> kept{};
};

/// Nothing if there is no such way. `job`: the latest of the cluster. Reads nothing unless it is a
/// replacement or a shrink that failed or was aborted.
std::optional<WayToKeep> way_to_keep(store::Connection& connection, const model::Cluster& cluster,
                                     const model::Job& job);

}  // namespace provisioner::operations
