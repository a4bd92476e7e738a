#pragma once

#include <string>
#include <vector>

#include "provisioner/model/machines/lost_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// What replace_lost_machines did.
struct Replacements {
    /// Machines whose replacement was queued.
    std::vector<model::LostMachine> queued;
    /// For each cluster whose machines are not replaced: its id and the reason.
    std::vector<std::string> problems;
};

/// Queues the replacement of lost machines, for each active cluster one job for all of them.
/// Without `all` it does so only where each lost machine of the cluster was one that its provider
/// may take back: others may have been deleted on purpose, so a person decides.
///
/// A cluster whose replacement is refused, for a budget or a quota say, is tried again after ten
/// minutes. After a replacement that failed the cluster is not active, so a person decides. Each
/// cluster has its own transaction. Several daemons may call it at once. Throws what the database
/// throws before the first change.
Replacements replace_lost_machines(store::Database& database, bool all, base::Timestamp now);

}  // namespace provisioner::operations
