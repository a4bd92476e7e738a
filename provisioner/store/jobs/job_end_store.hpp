#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Ends of jobs: for the audit log, and why they are no good ones.

/// A job that has ended, for the audit log.
struct EndedJob {
    model::Job job{};
    model::TenantId tenant{};
    std::string cluster_name{};
    int tasks_failed = 0;
    /// Id of the request that asked for it; empty when none did.
    std::string request{};
};

/// The oldest ends that the audit log does not have, without locks.
std::vector<model::JobId> unrecorded_ends(Connection& connection, int limit);

/// Marks the end of a job as recorded and returns it; nothing when somebody else has done so, or
/// when the job runs again. The caller records it in the same transaction.
std::optional<EndedJob> take_unrecorded_end(Connection& connection, model::JobId job);

/// Whether a task of the job has failed because its configuration is wrong
/// (model::exit_of_wrong_configuration), so that a retry fails again.
bool has_wrong_configuration(Connection& connection, model::JobId job);

/// On how many machines a task of the job failed, as pages show it, without machines that a job
/// takes away.
int failed_machines_of(Connection& connection, model::JobId job);

/// How many of these were set up before the job, or by earlier jobs as far as it had to: they had
/// served.
int failed_serving_machines_of(Connection& connection, model::JobId job);

/// How many machines that the job creates have anything left to do in it.
int unfinished_new_machines_of(Connection& connection, model::JobId job);

/// The services that the job installs, configures or initializes, by name.
std::vector<std::string> services_set_up_by(Connection& connection, model::JobId job);

}  // namespace provisioner::store
