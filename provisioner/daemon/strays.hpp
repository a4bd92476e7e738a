#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::daemon {

/// Machines that should not be there: made by a worker that was cut off, say, after another one
/// had taken the node away.
struct Strays {
    /// Their nodes are gone for good; taken away now.
    std::vector<std::string> removed;
    /// No node was ever called so: left alone, for a person to look at.
    std::vector<std::string> unknown;
    /// What could not be listed or taken away, and why; the next look tries again.
    std::vector<std::string> problems;
};

/// Looks at all machines of all providers and takes away the strays among them. Harmless beside
/// workers and other daemons: a node that is gone for good never gets a machine again. Blocks until
/// it is done; ends early when `stopping` says so. Throws what the database throws.
Strays remove_strays(store::Database& database, const providers::Registry& providers,
                     const std::function<bool()>& stopping);

}  // namespace provisioner::daemon
