#pragma once

#include <string>
#include <vector>

#include "provisioner/model/tenants/second_factor.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The security keys of a user, oldest first. With `locked` the rows are locked until the
/// transaction ends.
std::vector<model::SecurityKey> list_security_keys(Connection& connection, model::UserId user,
                                                   bool locked = false);

/// Adds a key and returns its id. The caller has checked name and number. False for a credential
/// that somebody has already.
bool insert_security_key(Connection& connection, model::UserId user, const model::SecurityKey& key);

/// Records a signature.
void use_security_key(Connection& connection, std::int64_t key, std::uint32_t count,
                      base::Timestamp now);

/// Deletes a key. False when the user has none with this id.
bool delete_security_key(Connection& connection, model::UserId user, std::int64_t key);

/// Who has to have a second factor in a tenant, whatever the installation asks for.
model::SecondFactorFor second_factor_of_tenant(Connection& connection, model::TenantId tenant);
void save_second_factor_of_tenant(Connection& connection, model::TenantId tenant,
                                  model::SecondFactorFor who);

}  // namespace provisioner::store
