#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Identity providers. Secrets are sealed to the place_of_secret() of their provider; the functions
// here open and seal them.

/// All providers by name, at most 1000, without their secrets.
std::vector<model::IdentityProvider> list_identity_providers(Connection& connection);

/// The provider of that name or id, with its secret. Throws identity::VaultError when the secret
/// cannot be opened.
std::optional<model::IdentityProvider> find_identity_provider(Connection& connection,
                                                              const std::string& name);
std::optional<model::IdentityProvider> find_identity_provider(Connection& connection,
                                                              model::IdentityProviderId id);

/// The provider as it is at this moment, which stays so until the transaction ends: nobody can
/// change it meanwhile, others can hold it, too. Before tenants and users are locked.
std::optional<model::IdentityProvider> hold_identity_provider(Connection& connection,
                                                              model::IdentityProviderId id);

/// Locks the provider of that name, or all of them (without their secrets), for a change. Before
/// tenants and users are locked.
std::optional<model::IdentityProvider> lock_identity_provider(Connection& connection,
                                                              const std::string& name);
std::vector<model::IdentityProvider> lock_identity_providers(Connection& connection);

/// Replaces the rules of a provider that is locked.
void save_rules(Connection& connection, const model::IdentityProvider& provider);

/// Stores a provider, a new one if its id is 0, and returns its id. The name cannot change.
model::IdentityProviderId save_identity_provider(Connection& connection,
                                                 const model::IdentityProvider& provider,
                                                 base::Timestamp now);

/// Notes what a test found, unless the provider was saved again since `provider` was read. Not a
/// change: `changed_at` stays, and the next one that is saved has no test.
void record_identity_test(Connection& connection, const model::IdentityProvider& provider,
                          const model::IdentityTest& test);

/// Deletes a provider. Its users and sessions lose their mark: disable and end them before.
void delete_identity_provider(Connection& connection, model::IdentityProviderId id);

/// Replaces sealed secrets, those of providers and of sessions, where `change` gives another text;
/// returns how many.
int change_identity_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change);

}  // namespace provisioner::store
