#pragma once

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Control of a cluster's latest job by a person. Each function is one transaction that locks the
// job and then the cluster, in the order of the engine. `caller` must be allowed to see the
// cluster; otherwise all of them refuse with not_found ("cluster <id> not found.").

/// Pauses the running job: claimed tasks continue, no other task begins. Does nothing when no job
/// runs, or when the job was aborted.
Result<void> pause_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId cluster);

/// Continues a paused job; does nothing when there is none.
Result<void> resume_job(store::Database& database, const model::Caller& caller,
                        model::ClusterId cluster);

/// Ends the running or paused job. Tasks that have not begun are cancelled at once. For tasks under
/// way, the daemon stops the running step and stores the result. The job fails when the last of
/// them ends.
///
/// Does nothing when no job is under way, or when it was aborted before. Refused with conflict
/// ("Cannot be aborted at this time.") for a deletion.
Result<void> abort_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId cluster);

/// Runs the failed and cancelled tasks of the latest job again; done tasks stay done. The caller
/// becomes the job's requester. Refused with conflict unless the job failed, has tasks, and the
/// cluster is neither pending nor terminated.
Result<void> retry_job(store::Database& database, const model::Caller& caller,
                       model::ClusterId cluster);

}  // namespace provisioner::operations
