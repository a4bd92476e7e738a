#pragma once

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Lets what runs end and begins nothing more; does nothing when no job runs. Refused with
/// not_found ("cluster <id> not found.") like all of these.
Result<void> pause_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId cluster);

/// Goes on with a paused job; does nothing when there is none.
Result<void> resume_job(store::Database& database, const model::Caller& caller,
                        model::ClusterId cluster);

/// Ends the job under way, paused or not: what nobody has begun is cancelled at once, what runs
/// ends and its result is kept. Does nothing when no job is under way; refused with conflict
/// ("Cannot be aborted at this time.") for a deletion.
Result<void> abort_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId cluster);

/// Runs what failed of the latest job and what was cancelled with it again; what was done stays
/// done. Refused with conflict unless that job failed and left the cluster with something.
Result<void> retry_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId cluster);

}  // namespace provisioner::operations
