#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/daemon/tasks/task_context.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/model/machines/lost_machine.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Result of one sweep. Orphans are machines of this installation that no node should have: for
/// example, one created by a worker that was cut off, after another worker had deleted the node's
/// machine. Names are those of machines (MachineSpec::name).
struct Orphans {
    /// Machines whose nodes are gone for good; this sweep deleted them.
    std::vector<std::string> removed;
    /// Machines that no node has, and that no earlier sweep saw. They are stored and left alone: a
    /// person decides about them.
    std::vector<std::string> unknown;
    /// Machines that nodes have and that are lost since this sweep
    /// (store/machines/sighting_store.hpp).
    std::vector<model::LostMachine> lost;
    /// Sentences about accounts that could not be listed and machines that could not be deleted. A
    /// later sweep tries again.
    std::vector<std::string> problems;
};

/// Parameters of a sweep; tests shorten the times.
struct SweepSettings {
    /// Id of this installation; providers list only machines marked with it.
    std::string installation;
    /// Pause between two looks at an account that answers.
    std::chrono::seconds every = timing::account_every;
    /// Adds the files that an account names (AccountFiles::add()); may be empty.
    TaskContext::AddFiles add_files{};
    /// Longest time to list an account's machines, with all its logins, and as long again to delete
    /// its orphans.
    std::chrono::milliseconds patience = timing::account_patience;
};

/// Lists the machines in every account that is due, four accounts at a time. Deletes machines whose
/// nodes are gone for good, and stores those that no node has
/// (store/machines/unknown_machine_store.hpp) and those that nodes have and that are not there.
///
/// Accounts are those of all providers of all tenants, of clusters that exist or existed lately
/// (operations::open_accounts), and of the installation itself. An account that fails is looked at
/// ever more rarely, up to timing::longest_account_pause, and delays no other one. Machines are
/// listed before the nodes are read: a machine is only created after its node was stored, so a
/// machine without a node is no new one.
///
/// May run beside workers and other daemons: a node that is gone for good never gets a machine
/// again, and deleting a machine twice is harmless. Blocks for minutes, so it needs its own thread;
/// ends within about 100 ms once `stopping`, called from several threads, returns true. All
/// arguments must outlive the call. Throws what the database throws before the first look; later
/// failures are in `problems`.
Orphans remove_orphans(store::Database& database, const providers::Registry& providers,
                       const SweepSettings& settings, const std::function<bool()>& stopping);

}  // namespace provisioner::daemon
