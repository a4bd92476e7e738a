#pragma once

#include <iosfwd>

#include "provisioner/base/config.hpp"

namespace provisioner::migrate {

// Rotation of the master keys, while all programs run. Each prints what it did, and returns the
// exit code: 0, or 1 if a secret stands in the way or the audit log could not be written. What they
// did is in the audit log, without keys.

/// Adds a master key to the file of the keys. The first one is not in the audit log: it is made
/// before there is a database.
int new_master_key(const base::Config& config, std::ostream& out, std::ostream& complaints);

/// Puts every secret under the newest master key: fields of providers and clusters, second factors,
/// login keys, secret files.
int rewrap(const base::Config& config, std::ostream& out, std::ostream& complaints);

/// Takes old master keys out of the file, unless a secret needs one. Says how many secrets are
/// under each.
int retire_keys(const base::Config& config, std::ostream& out, std::ostream& complaints);

}  // namespace provisioner::migrate
