#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/daemon/timing.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// What a sweep came to. Machines that should not be there: made by a worker that was cut off, say,
/// after another one had taken the node away.
struct Orphans {
    /// Their nodes are gone for good; taken away now.
    std::vector<std::string> removed;
    /// No node has them: left alone and stored, for a person to look at. Only those that were not
    /// seen before.
    std::vector<std::string> unknown;
    /// What could not be listed or taken away, and why; a later look tries again.
    std::vector<std::string> problems;
};

/// How accounts are swept.
struct SweepSettings {
    /// The id of this installation.
    std::string installation;
    /// How often an account is looked at while it answers.
    std::chrono::seconds every = timing::account_every;
    /// How long its machines may take to be listed, and then its orphans to be taken away.
    std::chrono::milliseconds patience = timing::account_patience;
};

/// Looks at the machines in every account that is due, a few at a time, takes away the orphans
/// among them and stores those no node has (store/machines/unknown_machine_store.hpp). Accounts are
/// those of all providers of all tenants and of clusters (operations::open_accounts), and those of
/// the installation itself; one that fails is looked at ever more rarely and holds up no other one.
/// Harmless beside workers and other daemons: a node that is gone for good never gets a machine
/// again. Blocks until it is done; ends early when `stopping` says so. Throws what the database
/// throws before the first look.
Orphans remove_orphans(store::Database& database, const providers::Registry& providers,
                       const SweepSettings& settings, const std::function<bool()>& stopping);

}  // namespace provisioner::daemon
