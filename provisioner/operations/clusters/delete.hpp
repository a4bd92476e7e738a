#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Plans and queues the deletion of a cluster's machines, with the provider fields given. Without
/// such fields it does not read services, configuration and snapshot, so these may be broken.
///
/// Does nothing for a terminated cluster, and continues a paused deletion. Refused with not_found
/// ("cluster <id> not found."), and with conflict while another job is under way: abort_job ends
/// that. Also refused as start_job says.
Result<void> delete_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, base::Timestamp now,
                            const base::Json& provider_fields = base::Json::object());

/// Ends a cluster without deleting its machines, for when the usual deletion is impossible. Its
/// provider, secrets or definition may be lost, or no daemon works. The cluster is terminated when
/// this returns. Its latest job is then a failed deletion whose message names the caller, and a job
/// under way is ended.
///
/// Machines may remain at the provider. The daemon deletes them as orphans where it can still list
/// the account. Does nothing to a terminated cluster. Refused with forbidden unless the caller is
/// an administrator, and with not_found.
Result<void> give_up_cluster(store::Database& database, const model::Caller& caller,
                             model::ClusterId cluster, base::Timestamp now);

}  // namespace provisioner::operations
