#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Plans and queues the deletion of a cluster's machines, with the provider fields given. Deleting
/// a terminated cluster does nothing and succeeds; a deletion that was paused goes on. Refused with
/// not_found ("cluster <id> not found."), or conflict while another job is under way: abort_job
/// ends that.
Result<void> delete_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, base::Timestamp now,
                            const base::Json& provider_fields = base::Json::object());

/// Ends a cluster without its machines, for one whose machines cannot be deleted any more: its
/// provider, its secrets or its definition are lost, or nobody works on its tasks. It is terminated
/// when this returns, with a failed deletion that says who did it, and what was under way is ended.
/// Machines the provider still has are taken away by the daemon where it can. Does nothing to a
/// terminated cluster. Refused as forbidden to all but administrators, and with not_found.
Result<void> give_up_cluster(store::Database& database, const model::Caller& caller,
                             model::ClusterId cluster, base::Timestamp now);

}  // namespace provisioner::operations
