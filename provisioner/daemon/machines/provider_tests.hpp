#pragma once

#include <functional>
#include <string>

#include "provisioner/daemon/tasks/task_context.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Carries out the tests of providers that wait (table provider_test), four at a time, and stores
/// what they found. Blocks up to a minute for each, so it needs its own thread; ends within about
/// 100 ms once `stopping` returns true, and then leaves what is not done to the next daemon. Throws
/// what the database throws.
void test_providers(store::Database& database, const providers::Registry& providers,
                    const std::string& installation, const TaskContext::AddFiles& add_files,
                    const std::function<bool()>& stopping);

}  // namespace provisioner::daemon
