#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// API keys: long-lived credentials of a user for scripts. A key authenticates as its user, with the
// user's role. Its scope can restrict it to reading. The web side looks keys up by their hash, so
// the secret itself is never stored.

/// The largest number of keys of one user, expired ones included.
constexpr std::size_t max_api_keys = 100;

/// A request for a new key.
struct KeySpec {
    /// Unique among the user's keys.
    std::string name;
    /// What it may do; `limits.expires_at` does not count here.
    model::KeyLimits limits{};
    /// Milliseconds since 1970; nothing: the key never expires.
    std::optional<std::int64_t> expires_at{};
};

/// A new key together with its secret, which is not stored and cannot be shown again.
struct NewApiKey {
    /// The stored part, with its id.
    model::ApiKey key;
    /// The key itself, "coop_" and 64 hexadecimal digits.
    base::Secret secret;
};

/// Creates a key for the caller. Refused with conflict when the caller has a key of that name or
/// max_api_keys keys. As invalid when it would expire at `now` or before, or after the year 9999.
///
/// `asking` are the limits of the key that asks for it; nothing: a session. As invalid when the new
/// key could do more, reach more clusters or live longer than that one.
Result<NewApiKey> create_api_key(store::Database& database, const model::Caller& caller,
                                 const KeySpec& wanted,
                                 const std::optional<model::KeyLimits>& asking,
                                 base::Timestamp now);

/// Deletes a key of the caller. A web process may accept it for up to one second more
/// (RememberingDirectory). Refused with not_found when the caller has no such key.
Result<void> delete_api_key(store::Database& database, const model::Caller& caller,
                            std::int64_t id);

/// Deletes a key of a user whom the caller administers, or of the caller. Refused with not_found
/// without such a user or key.
Result<void> delete_key_of(store::Database& database, const model::Caller& caller,
                           const std::string& tenant, const std::string& user, std::int64_t id);

}  // namespace provisioner::operations
