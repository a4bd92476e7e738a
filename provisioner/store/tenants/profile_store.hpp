#pragma once

#include <optional>

#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// A profile is a JSON object that a user stores for their own use, through the API. The server does
// not interpret it. Nobody else can read it. It disappears with the user.

/// The profile; nothing when the user has stored none. Throws std::logic_error when the column
/// holds no JSON.
std::optional<base::Json> find_profile(Connection& connection, model::UserId user);

/// Replaces the profile, or stores the first one.
void save_profile(Connection& connection, model::UserId user, const base::Json& profile);

/// Deletes the profile; does nothing when there is none.
void delete_profile(Connection& connection, model::UserId user);

}  // namespace provisioner::store
