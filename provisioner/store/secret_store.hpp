#pragma once

#include "provisioner/store/database.hpp"

namespace provisioner::store {

/// Puts every secret of providers (all versions) and clusters under the newest master key, while
/// everything else goes on, and returns how many rows changed. Rows that were written meanwhile are
/// looked at again: when it returns, no row has an older key. Throws identity::VaultError.
int rewrap_secrets(Database& database);

}  // namespace provisioner::store
