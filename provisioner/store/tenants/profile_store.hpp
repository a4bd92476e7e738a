#pragma once

#include <optional>

#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// What a user keeps about themselves: an object of any form; nothing when there is none.
std::optional<base::Json> find_profile(Connection& connection, model::UserId user);

/// Replaces it.
void save_profile(Connection& connection, model::UserId user, const base::Json& profile);

/// Deletes it; does nothing when there is none.
void delete_profile(Connection& connection, model::UserId user);

}  // namespace provisioner::store
