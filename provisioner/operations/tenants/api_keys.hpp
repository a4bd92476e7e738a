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

/// No user has more keys.
constexpr std::size_t max_api_keys = 100;

/// A key as it is asked for.
struct KeySpec {
    std::string name;
    model::KeyScope scope = model::KeyScope::all;
    /// Milliseconds since 1970; nothing: never.
    std::optional<std::int64_t> expires_at{};
};

/// A key that was made: the only time it can be seen.
struct NewApiKey {
    model::ApiKey key;
    base::Secret secret;
};

/// Makes a key for the caller. Refused with conflict when the caller has one of that name or too
/// many, as invalid when it would have expired already.
Result<NewApiKey> create_api_key(store::Database& database, const model::Caller& caller,
                                 const KeySpec& wanted, base::Timestamp now);

/// Takes a key of the caller away: whoever uses it is refused from now on. Refused with not_found
/// when the caller has no such key.
Result<void> delete_api_key(store::Database& database, const model::Caller& caller,
                            std::int64_t id);

}  // namespace provisioner::operations
