#pragma once

#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

// The wire contract's view of daemons. It calls a daemon a provisioner and gives each tenant a
// number of workers on certain provisioners. Our daemons share one queue instead: any of them takes
// tasks of any tenant, and a tenant's workers limit its tasks in flight. So the assignments here
// are computed for display and decide nothing but how many workers can be promised.

/// A word for a daemon that is safe in an address: "host:/path/to/lock" -> "host-1f0a9c3e". The
/// digits are a hash of host and lock file.
std::string provisioner_id(const std::string& instance);

/// A daemon in the wire contract's form of a provisioner.
struct ProvisionerView {
    /// provisioner_id() of the daemon.
    std::string id;
    /// The host's name.
    std::string host;
    /// The number of tasks it runs at once.
    int capacity_total = 0;
    /// Without the workers assigned to tenants; not reduced by tasks in flight.
    int capacity_free = 0;
    /// Tenant name -> workers, at least 1, oldest tenant first.
    std::vector<std::pair<std::string, int>> assignments;
    /// Tenant name -> tasks in flight.
    std::vector<std::pair<std::string, int>> usage;
};

/// The input of provisioner_views, as the stores return it. All of it should come from one
/// snapshot.
struct ProvisionerFacts {
    std::vector<store::DaemonRow> daemons;
    std::vector<model::Tenant> tenants;
    std::vector<store::WorkInFlight> in_flight;
};

/// The daemons that are alive (DaemonRow::is_alive), by id. The wire contract's reference server
/// has a setting for the silence it allows, with 120 s unless changed. Assigns each tenant's
/// workers to the first daemons that have capacity left. Workers for which no daemon has capacity
/// do not appear. Pure.
std::vector<ProvisionerView> provisioner_views(const ProvisionerFacts& facts, base::Timestamp now);

/// The same with the present rows of the database.
std::vector<ProvisionerView> provisioner_views(store::Connection& connection, base::Timestamp now);

}  // namespace provisioner::operations
