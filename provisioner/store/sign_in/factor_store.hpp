#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Second factors: the app of a user that shows codes, and recovery codes on paper. The app's secret
// is sealed (identity/vault.hpp), recovery codes are hashed.

/// The app of a user.
struct Factor {
    /// Sealed; bound to the user.
    std::string secret{};
    /// False until the user has typed a first code: nothing is asked for before.
    bool is_confirmed = false;
    /// Codes of steps up to this one do not count any more.
    std::int64_t last_step = 0;
    base::Timestamp created_at{};
};

/// The factor of a user; nothing when there is none. With `locked` its row is locked until the
/// transaction ends.
std::optional<Factor> find_factor(Connection& connection, model::UserId user, bool locked = false);

/// Stores the app of a user in place of any other.
void save_factor(Connection& connection, model::UserId user, const Factor& factor);

/// Records that a step's code was used, and that the factor is confirmed.
void use_factor(Connection& connection, model::UserId user, std::int64_t step);

/// Deletes the app. False when there is none.
bool delete_factor(Connection& connection, model::UserId user);

/// Deletes app, security keys and recovery codes.
void delete_all_factors(Connection& connection, model::UserId user);

/// Recovery codes that are left.
int count_recovery_codes(Connection& connection, model::UserId user);

/// Replaces the recovery codes of a user by those with these hashes.
void save_recovery_codes(Connection& connection, model::UserId user,
                         const std::vector<std::string>& hashes);

/// Uses a recovery code up. False when there is none with this hash.
bool use_recovery_code(Connection& connection, model::UserId user, const std::string& hash);

/// The users of a tenant who have a confirmed app or a security key.
std::vector<model::UserId> users_with_factor(Connection& connection, model::TenantId tenant);

/// Calls `change` with the sealed secret of every factor, locked, and stores what it returns;
/// nothing: unchanged. Returns the number of rows that were written.
int change_factor_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change);

}  // namespace provisioner::store
