#pragma once

#include <optional>
#include <string>
#include <utility>
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

/// Machines of a cluster with the same services.
struct MachineGroup {
    std::vector<std::string> services{};
    int machines = 0;
    /// Of these: those that failed, or are not finished.
    int failed = 0;
};

/// Which machines count as failed.
enum class FailedMachines {
    /// Those on which a task of the job failed, as pages show it; not those on which only a service
    /// could not be removed.
    with_failed_task,
    /// Those that no job has set up yet (model::Node::was_set_up).
    not_set_up
};

/// The machines of a cluster, without those that a job takes away.
std::vector<MachineGroup> machine_groups(Connection& connection, model::ClusterId cluster,
                                         model::JobId job, FailedMachines which);

/// The same whatever any job has done: nobody has failed.
std::vector<MachineGroup> machine_groups(Connection& connection, model::ClusterId cluster);

/// How many machines with a failed task were set up before the job, or by earlier jobs as far as it
/// had to: they had served.
int failed_serving_machines_of(Connection& connection, model::JobId job);

/// How many machines of a cluster a job takes away and has not deleted yet.
int leaving_machines_of(Connection& connection, model::ClusterId cluster);

/// The services that the job installs, configures or initializes, by name.
std::vector<std::string> services_set_up_by(Connection& connection, model::JobId job);

/// The services that the job installs or initializes on machines that it does not create, by name.
std::vector<std::string> services_installed_by(Connection& connection, model::JobId job);

/// The services that failed while they were set up or started, and that the job has started on no
/// machine; and those of the job that no job has ever started, and that failed while they were
/// stopped, or in an earlier job. By name.
std::vector<std::string> services_never_started_by(Connection& connection, model::JobId job);

/// A service that failed in a job, and whether only its stop or removal did.
struct FailedService {
    std::string name{};
    bool only_leaving = false;
};

/// The services of the failed tasks of a job, as pages show them, by name.
std::vector<FailedService> services_failed_in(Connection& connection, model::JobId job);

/// Services that the job has not stopped and removed everywhere, though their machines should not
/// have them any more: by name, with the number of such machines.
std::vector<std::pair<std::string, int>> services_left_behind_by(Connection& connection,
                                                                 model::JobId job);

}  // namespace provisioner::store
