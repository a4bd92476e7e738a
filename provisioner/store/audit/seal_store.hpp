#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/store/audit/verification.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The end of a chain that is to be sealed, and what is wrong between the last seal and it.
struct Sealing {
    model::TenantId chain{};
    /// The seal that was made; nothing when there was nothing to seal, or something is wrong.
    std::optional<AuditSeal> seal{};
    std::vector<AuditFinding> findings{};
};

/// The chains with events that no seal covers, and whose last seal is `age` old or missing.
std::vector<model::TenantId> unsealed_chains(Connection& connection, std::chrono::seconds age);

/// The moment that a seal would have which is made now.
base::Timestamp moment_of_seals(Connection& connection);

/// Seals what the chain is now, if the events since the last seal follow on it; otherwise nothing
/// is signed and the findings say why. Reads all events since the last seal, in pieces and without
/// a lock. Nothing to do when another daemon was faster.
Sealing seal_chain(Database& database, model::TenantId chain, const identity::SigningKey& key);

/// Deletes events up to a seal that was made before `sealed_before` and covers none after event
/// `at_most` (what was not exported stays), and the seals before that one,
/// which becomes the anchor: verification begins there. Records "audit.prune" in the chain. Returns
/// the number of the last event that went, 0 when none did. One call deletes about `limit` events
/// in one transaction; call it again while it returns a number.
std::int64_t prune_events(Connection& connection, model::TenantId chain,
                          const identity::SigningKey& key, base::Timestamp sealed_before,
                          std::int64_t at_most, int limit);

}  // namespace provisioner::store
