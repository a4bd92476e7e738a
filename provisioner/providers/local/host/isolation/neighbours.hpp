#pragma once

#include <string>

#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// Saves the record of a machine that is being made, unless that would put hosts of two tenants on
/// this machine of which one is not isolated: then throws Refusal("tenant") with the reason.
/// `missing` says why the record's host is not isolated; empty if it is. With `is_allowed` there is
/// only a line on standard error. Looking and saving is one turn, so of two starts at once the
/// second sees the first.
///
/// Every host that is not isolated is reported on standard error.
void save_among_tenants(const StateDir& dir, const Record& record, const std::string& missing,
                        bool is_allowed);

}  // namespace provisioner::providers::local
