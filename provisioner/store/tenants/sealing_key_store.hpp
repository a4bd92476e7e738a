#pragma once

#include <optional>

#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Which key of daemons seals (identity/vault.hpp): the same on all hosts. The row is written by
// cooperage-migrate. Without it the installation has no daemon keys, and master keys seal.

/// The newest key of daemons.
struct SealingKeyRow {
    identity::KeyName key;
    /// Whether all that daemons open is sealed under it.
    bool is_spread = false;
};
std::optional<SealingKeyRow> find_sealing_key(Connection& connection);

/// The key, held until the transaction ends: publish_sealing_key() waits for all that seal under
/// the one before.
std::optional<identity::KeyName> hold_sealing_key(Connection& connection);

/// Has all programs seal under that key from now on. Nothing is changed if they do already.
void publish_sealing_key(Connection& connection, const identity::KeyName& key, base::Timestamp now);

/// Notes that everything is sealed under that key, if it is the newest still.
void note_spread(Connection& connection, const identity::KeyName& key, base::Timestamp now);

}  // namespace provisioner::store
