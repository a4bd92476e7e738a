#pragma once

#include <filesystem>
#include <string>

#include "provisioner/providers/local/host/isolation/id_range.hpp"
#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

/// What keeps a host's root from the machine, beside the namespaces that every host has.
struct Isolation {
    /// The ids of the host. A count of 0: it has those of the machine.
    IdRange ids{};
    /// A user namespace with these ids.
    Fd space{};
    /// The shared root, whose files belong to the host's users.
    Fd shifted{};
    /// Why there is none of this, as a sentence without a full stop; empty if there is.
    std::string missing{};

    bool is_complete() const { return missing.empty(); }
};

/// Isolation for the host that lives in the directory `machine` and shares `root`. Where the
/// kernel, its settings or the file system allow none, the result says why, and nothing is claimed.
/// The ids stay claimed until release_ids(). Throws Failure if they cannot be claimed for another
/// reason.
Isolation isolate(const std::filesystem::path& machine, const std::filesystem::path& root);

}  // namespace provisioner::providers::local
