#pragma once

#include "provisioner/model/machines/account.hpp"
#include "provisioner/model/machines/provider_test.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Asks for a test of a provider of the caller's tenant, as saving it does. Refused with not_found
/// without such a provider.
Result<model::ProviderTest> ask_provider_test(store::Database& database,
                                              const model::Caller& caller,
                                              const std::string& provider);

/// The provider of a test as it is in the catalogue, with its secrets opened. Nothing when it was
/// deleted since. Throws identity::VaultError when a secret cannot be opened.
std::optional<model::Account> account_to_test(store::Connection& connection,
                                              const model::ProviderTest& test);

}  // namespace provisioner::operations
