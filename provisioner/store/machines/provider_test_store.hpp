#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/machines/provider_test.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// Asks for a test of the provider; one that waits or is under way is replaced. What the last one
/// found stays until the next is done.
void ask_provider_test(Connection& connection, model::TenantId tenant, const std::string& provider,
                       const std::string& asked_by);

/// The last test; nothing when there was none.
std::optional<model::ProviderTest> find_provider_test(Connection& connection,
                                                      model::TenantId tenant,
                                                      const std::string& provider);

/// Deletes what is known of the provider.
void delete_provider_test(Connection& connection, model::TenantId tenant,
                          const std::string& provider);

/// Whether a test waits for a daemon. One statement, so Database::look is enough.
[[nodiscard]] bool is_provider_test_due(Connection& connection);

/// Takes up to `most` tests that wait, for `hold`. Of two daemons one gets each. A daemon that dies
/// loses them after `hold`.
std::vector<model::ProviderTest> take_provider_tests(Connection& connection, int most,
                                                     std::chrono::seconds hold);

/// Stores what a test found: passed, message, offer. Does nothing when another was asked for since.
void save_provider_test(Connection& connection, const model::ProviderTest& test);

}  // namespace provisioner::store
