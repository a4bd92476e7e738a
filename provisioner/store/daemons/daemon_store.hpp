#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A claimed task, for the page that shows the work of each daemon.
struct RunningTask {
    model::TaskId task;
    model::JobId job;
    /// Together with `job` and `task` it makes the wire id of the task.
    model::ClusterId cluster;
    /// Name of the tenant.
    std::string tenant;
    std::string cluster_name;
    /// The node's UUID, its number in the cluster and its hostname.
    std::string node;
    int nodenum = 0;
    std::string hostname;
    model::Action action = model::Action::create;
    /// Empty for hardware actions.
    std::string service;
    /// Number of the attempt, from 1.
    int attempt = 1;
    /// When this attempt began, by the database's clock.
    base::Timestamp since{};
};

/// A daemon as its last heartbeat left it, with the tasks it has claimed. The row outlives the
/// process: is_alive tells a running daemon from a stopped one.
struct DaemonRow {
    /// Host and lock file, "host:/path/to/lock": the same after a restart. At most one daemon of an
    /// instance runs at a time, because it holds the lock.
    std::string instance;
    /// On its own host.
    int pid = 0;
    /// The number of tasks it runs at once.
    int capacity = 0;
    /// Whether a person took it out: it claims nothing new.
    bool drains = false;
    /// Of its program; empty if it does not say, as daemons of earlier versions.
    std::string version{};
    /// When the process with this pid first sent a heartbeat.
    base::Timestamp started_at{};
    /// By the database's clock, like started_at.
    base::Timestamp heartbeat_at{};
    /// The tasks it has claimed, oldest attempt first. A restarted daemon shows the tasks of its
    /// predecessor until they are rescued.
    std::vector<RunningTask> running;

    /// Whether its last heartbeat is at most model::claim_hold old.
    bool is_alive(base::Timestamp now) const;
};

/// The daemon of a worker: "instance/incarnation" -> "instance". The last slash counts, because an
/// instance may contain slashes.
std::string instance_of(const std::string& worker);

/// The daemons whose rows retention has not deleted: those heard of within about a day. By
/// instance, with tasks of all tenants, so only for superadmins. At most 1000 daemons and 100,000
/// tasks.
std::vector<DaemonRow> list_daemons(Connection& connection);

/// Whether there is a row of that instance.
bool has_daemon(Connection& connection, const std::string& instance);

/// Instances that live and do not drain, by name, with their rows locked until the transaction
/// ends.
std::vector<std::string> lock_those_that_take(Connection& connection, base::Timestamp now);

/// Whether the daemon drains, with its row locked until the transaction ends; nothing when there is
/// no row of that instance.
std::optional<bool> lock_drains(Connection& connection, const std::string& instance);

/// Sets the flag. Daemons look at it whenever they claim (queue/mysql_task_queue.cpp).
void set_drains(Connection& connection, const std::string& instance, bool drains);

}  // namespace provisioner::store
