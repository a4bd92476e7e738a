#pragma once

#include <string>

#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// What a host that is being made lacks, each as a sentence without a full stop; empty: nothing.
struct Lacks {
    /// Why its root is not kept from the machine (Isolation::missing).
    std::string isolation{};
    /// Why its network is not guarded (hold_network()).
    std::string guard{};
};

/// Saves the record of a machine that is being made, unless that would put hosts of two tenants on
/// this machine although one of them is not isolated, or their network is not guarded: then throws
/// Refusal("tenant") with the reason. With `is_allowed` there is only a line on standard error.
/// Looking and saving is one turn, so of two starts at once the second sees the first.
///
/// Every host that lacks something is reported on standard error.
void save_among_tenants(const StateDir& dir, const Record& record, const Lacks& lacks,
                        bool is_allowed);

}  // namespace provisioner::providers::local
