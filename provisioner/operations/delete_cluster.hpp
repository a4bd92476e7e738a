#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/model/job.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database.hpp"

namespace provisioner::operations {

/// Plans and queues the deletion of a cluster's machines, with the provider fields given. Deleting
/// a terminated cluster does nothing and succeeds. Refused with not_found ("cluster <id> not
/// found."), or conflict while a job is under way.
Result<void> delete_cluster(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, base::Timestamp now,
                            const base::Json& provider_fields = base::Json::object());

}  // namespace provisioner::operations
