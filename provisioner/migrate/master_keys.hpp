#pragma once

#include <iosfwd>

#include "provisioner/base/config.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::migrate {

// Rotation of the master keys and daemon keys (identity/vault.hpp), while all programs run. Each
// prints what it did, and returns the exit code: 0, or 1 if a secret stands in the way or the audit
// log could not be written. What they did is in the audit log, without keys.

/// Adds a key to the file of master keys and to that of daemon keys. Keys that come from elsewhere
/// are left alone. The first ones are not in the audit log: they are made before there is a
/// database. Of them the file of the public half is made; of others rewrap() makes it.
int new_keys(const base::Config& config, std::ostream& out, std::ostream& complaints);

/// Has all programs seal under the newest daemon key of this host, if there is one: in the database
/// and in the file of the public half. Throws identity::VaultError where this host has an older key
/// than the installation, or another one of its number.
void publish_daemon_key(const base::Config& config, store::Database& database, std::ostream& out);

/// Publishes the newest daemon key and puts every secret under the newest key: second factors and
/// secrets of identity providers under the master key; fields of providers and clusters, login keys
/// and secret files under the daemon key, if there is one.
int rewrap(const base::Config& config, std::ostream& out, std::ostream& complaints);

/// Takes old keys out of both files, unless a secret needs one. Says how many secrets are under
/// each.
int retire_keys(const base::Config& config, std::ostream& out, std::ostream& complaints);

}  // namespace provisioner::migrate
