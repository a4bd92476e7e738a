#pragma once

#include <optional>
#include <set>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/clusters/leaving_store.hpp"

namespace provisioner::operations {

// Machines that a failed job was taking away, and that can stay (ShrinkCluster::keep).

struct KeepableMachine {
    store::LeavingMachine machine{};
    /// Its services that have a start action and are not known to run: these are started again.
    std::set<std::string> not_running{};
};

/// Those that were set up and that nobody has begun to delete; by number. Empty unless the latest
/// job of the cluster has failed.
std::vector<KeepableMachine> keepable_machines(store::Connection& connection,
                                               const model::Cluster& cluster);

/// The way on after a job that failed or was aborted, on which machines that are being taken away
/// stay, as far as they are whole.
struct WayToKeep {
    /// The numbers of machines that stay otherwise and that no job has set up: they go. After a
    /// replacement these are the new ones.
    std::set<int> without{};
    std::vector<store::LeavingMachine> kept{};
    /// How many others are being taken away: they go in any case.
    int others_leaving = 0;
};

/// Nothing if there is no such way. `job`: the latest of the cluster.
std::optional<WayToKeep> way_to_keep(store::Connection& connection, const model::Cluster& cluster,
                                     const model::Job& job);

}  // namespace provisioner::operations
