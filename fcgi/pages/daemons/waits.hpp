#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/store/monitoring/monitoring_store.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

/// The provisioners as far as they decide what runs next.
struct Workforce {
    /// Those that are alive, and those of them that do not drain.
    int alive = 0;
    int at_work = 0;
    /// Workers of those at work, and how many of them have a task.
    int workers = 0;
    int busy = 0;
    /// Those that are alive and drain, and how many of their workers have a task until it ends.
    int draining = 0;
    int draining_busy = 0;
    /// What each of those at work offers; empty if one of them does not say.
    std::vector<std::set<std::string>> offers{};
};
Workforce workforce_of(const std::vector<provisioner::store::WatchedDaemon>& daemons);

/// Counts the running tasks of each daemon by its claims instead of by its last heartbeat, so that
/// they fit the other numbers of the same moment. Pure.
void count_claims(std::vector<provisioner::store::WatchedDaemon>& daemons,
                  const std::vector<provisioner::store::WorkInFlight>& claims);

/// Due tasks of all queues together.
int due_of_all(const std::vector<provisioner::store::TenantQueue>& queues);

/// What superadmins are told of emails that cannot be sent; empty if there are none. Pure.
std::string mail_warning(const provisioner::store::WatchedNumbers& numbers);

/// What a due task waits for, as it goes on after "Waits for".
struct TaskWait {
    std::string words{};
    /// Whether it is the tenant's limit of workers.
    bool is_limit = false;
};

/// Of a task that needs these plugins, in the queue of its tenant. `due` are those of all tenants.
/// Pure.
TaskWait wait_of(const std::vector<std::string>& needs,
                 const provisioner::store::TenantQueue& queue, int due, const Workforce& workforce);

}  // namespace fcgi::pages
