#pragma once

#include <string>
#include <vector>

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

/// Retries a creation with another configuration: what was configured is configured again, services
/// whose start has begun are restarted, and then the remaining tasks run (configure_again). Masks
/// in `config` stand for the stored values.
///
/// Refused as retry_job, with conflict unless the latest job should have made the cluster, and with
/// invalid, field "config", for a mask without a value.
Result<void> retry_creation(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, const base::Json& config);

/// retry_job on some machines only: their failed and cancelled tasks run again, and the cancelled
/// ones of others that wait for nothing else (tasks_to_retry). All others stay as they are; if any
/// is left, the job fails again when these are done. `nodes` are numbers or ids.
///
/// Refused as retry_job, and with invalid, field "nodes", for each of: no machine; one that the
/// cluster never had; one without a failed or cancelled task in that job; one that waits for a
/// failed task of a machine that is not named.
Result<void> retry_machines(store::Database& database, const model::Caller& caller,
                            model::ClusterId cluster, const std::vector<std::string>& nodes);

}  // namespace provisioner::operations
