#pragma once

#include "provisioner/model/machines/machine_lease.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Frees an existing machine that is out of use, because a person has looked after it: the next
/// node may get it. `tenant` 0 means a machine of any tenant. A machine whose provider was deleted
/// while it was wiped may be freed, too: no daemon looks at it any more.
///
/// Refused with not_found when there is no such lease, and with conflict otherwise: a machine of a
/// node is given back by deleting the node, and one that is being wiped comes back by itself.
Result<void> release_lease(store::Database& database, const model::Caller& caller,
                           model::MachineLeaseId lease);

}  // namespace provisioner::operations
