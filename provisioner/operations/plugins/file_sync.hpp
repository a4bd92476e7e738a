#pragma once

#include <vector>

#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

/// Makes the staged versions of all plugins of the tenant live and removes the recalled ones. The
/// audit log names each file with its versions before and after (file_changes.hpp).
void sync_resources(store::Database& database, const model::Caller& caller);

/// The same if these are the changes that wait: those that the caller has seen. Refused with
/// conflict otherwise.
Result<void> sync_resources_as_seen(store::Database& database, const model::Caller& caller,
                                    const std::vector<FileChange>& seen);

}  // namespace provisioner::operations
