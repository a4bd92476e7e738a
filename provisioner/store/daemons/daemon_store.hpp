#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A task a daemon is at.
struct RunningTask {
    model::TaskId task;
    model::JobId job;
    model::ClusterId cluster;
    std::string tenant;
    std::string cluster_name;
    /// The node: its UUID and its name.
    std::string node;
    std::string hostname;
    model::Action action = model::Action::create;
    std::string service;
    int attempt = 1;
    /// When this attempt began.
    base::Timestamp since{};
};

/// A provisioner process as its heartbeat left it.
struct DaemonRow {
    /// Host and lock file: the same after a restart.
    std::string instance;
    int pid = 0;
    int capacity = 0;
    base::Timestamp started_at{};
    base::Timestamp heartbeat_at{};
    /// What it has claimed, longest first.
    std::vector<RunningTask> running;

    /// Whether it was heard of lately: three heartbeats.
    bool is_alive(base::Timestamp now) const;
};

/// The daemons that were there within a day, by instance, with the tasks of all tenants.
std::vector<DaemonRow> list_daemons(Connection& connection);

}  // namespace provisioner::store
