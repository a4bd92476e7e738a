#pragma once

#include <optional>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// The work of a failed job is finished with another configuration of the cluster. A retry would run
// the same tasks, which do not bring the configuration to services that the job has not touched.

/// Whether that is the way to give the cluster another configuration after `job`, its latest: the
/// job has failed and may have left machines unfinished. A creation is retried instead
/// (retry_creation), and a failed deletion only leads to another one. Pure.
bool can_be_finished(const model::Cluster& cluster, const std::optional<model::Job>& job);

/// The configuration with which the work is finished.
struct NewConfiguration {
    /// Replaces the whole configuration, a JSON object. Masks stand for the stored values.
    base::Json config = base::Json::object();
    /// Whether machines that are being taken away stay, as way_to_keep() says.
    bool keep = false;
};

/// The new job: an operation like that of the failed one, for all that it has left; if machines are
/// kept, a shrink. Every service is configured again and restarted. Refused with not_found; with
/// conflict unless can_be_finished(), and, field "keep", if no machine can be kept; and as
/// prepare_change says.
Result<PreparedChange> preview_finish(store::Database& database, const model::Caller& caller,
                                      model::ClusterId cluster, bool keep);

/// Stores the configuration and queues that job, in one transaction. Also refused as invalid, field
/// "config", for a mask without a value.
Result<void> finish_with_config(store::Database& database, const model::Caller& caller,
                                model::ClusterId cluster, const NewConfiguration& wanted,
                                base::Timestamp now);

}  // namespace provisioner::operations
