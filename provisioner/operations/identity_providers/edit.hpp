#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

// Identity providers as superadmins manage them. Rules name tenants here; the database has their
// uids, so that a later tenant of the same name gets nobody.

/// The kind of object that the audit log of the installation calls them.
inline constexpr auto audited_identity_provider = "identity-provider";

/// All of them by name, rules with names of tenants, without secrets.
std::vector<model::IdentityProvider> list_identity_providers(store::Database& database);

/// One of them, with its secret. Refused with not_found.
Result<model::IdentityProvider> identity_provider(store::Database& database,
                                                  const std::string& name);

/// Tells whether a provider as identity_provider() returns it was saved since, if only with another
/// secret.
std::string fingerprint_of(const model::IdentityProvider& provider);

/// Stores a provider under its name, with `is_new` only if no other has it: a new one, or all
/// settings of one that is there. Without a secret the stored one stays, unless the provider would
/// be another: then it has to be given again. A provider that is switched off ends the sessions of
/// its users, and their API keys let nobody in until it is switched on again. Refused as invalid
/// with every problem, as conflict for the field "base" if there is a `base` and the stored
/// provider has another fingerprint by now (not_found if it is gone), as forbidden for a key that
/// is limited to some rights: a provider says who is superadmin. The audit log has the `reason`.
Result<void> save_identity_provider(store::Database& database, const model::Caller& caller,
                                    model::IdentityProvider provider,
                                    const std::optional<base::Secret>& secret, bool plain_loopback,
                                    base::Timestamp now, bool is_new = false,
                                    const std::optional<std::string>& base = std::nullopt,
                                    const std::string& reason = "");

/// The provider with the secret that it would be saved with, so that it can be tried before.
/// Refused as invalid with what a test cannot do without: addresses and names of attributes, and
/// for a directory the secret. What only logins need, such as a label or rules, may be missing.
/// Throws ProofNeeded if all that is fine and the caller must prove who he is: a test sends
/// requests to addresses that he chose.
Result<model::IdentityProvider> provider_to_test(store::Database& database,
                                                 const model::Caller& caller,
                                                 model::IdentityProvider provider,
                                                 const std::optional<base::Secret>& secret,
                                                 bool plain_loopback, bool is_new);

/// Deletes a provider, disables its users and ends their sessions. Refused with not_found, and as
/// forbidden like saving.
Result<void> delete_identity_provider(store::Database& database, const model::Caller& caller,
                                      const std::string& name, base::Timestamp now);

}  // namespace provisioner::operations
