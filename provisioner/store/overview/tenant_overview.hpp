#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::store {

// Tenants and their queues as superadmins see them, all tenants together.

/// A tenant with what it uses.
struct TenantOverview {
    model::Tenant tenant;
    TenantUse use{};
    int users = 0;
    /// Clusters that are incomplete or inconsistent.
    int failing = 0;
};
/// All tenants that are not deleted, oldest first; at most 100,000. Reads no terminated clusters.
std::vector<TenantOverview> list_tenant_overviews(Connection& connection);

/// How many users a tenant has.
int count_tenant_users(Connection& connection, model::TenantId tenant);

/// The API keys of a user.
struct KeyUse {
    int keys = 0;
    /// The last use of any of them; nothing if none was ever used.
    std::optional<base::Timestamp> used_at{};
};
/// Of the users of a tenant who have any.
std::map<model::UserId, KeyUse> key_uses(Connection& connection, model::TenantId tenant);

/// The tasks of a tenant that wait for a provisioner or run.
struct TenantQueue {
    model::TenantId id;
    std::string tenant;
    /// The most of its tasks that run at once; 0: no limit.
    int workers = 0;
    /// May be claimed now.
    int due = 0;
    /// Due later: after a pause between attempts, or while a machine is made.
    int later = 0;
    int running = 0;
    /// How long its oldest due task has waited; 0 without one.
    int oldest_seconds = 0;
    /// Plugins that a provisioner must offer to claim its oldest ready task.
    std::vector<std::string> oldest_needs{};
};
/// Tenants with tasks, the longest wait first. Reads the head of the queue and claimed tasks.
std::vector<TenantQueue> list_tenant_queues(Connection& connection);

/// A due task that nobody has claimed.
struct WaitingTask {
    model::TaskId task;
    model::JobId job;
    model::ClusterId cluster;
    std::string tenant;
    std::string cluster_name;
    int nodenum = 0;
    std::string hostname;
    model::Action action = model::Action::create;
    std::string service;
    /// Plugins that a provisioner must offer to claim it, as ready_task.needs has them.
    std::vector<std::string> needs{};
    int seconds = 0;
};
/// Due tasks of all tenants, the longest wait first, without the first `offset`.
std::vector<WaitingTask> list_waiting_tasks(Connection& connection, int limit, int offset = 0);

}  // namespace provisioner::store
