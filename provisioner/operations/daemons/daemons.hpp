#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

/// A provisioner that is silent for longer does not count. Source: the wire contract's 120 s.
constexpr std::chrono::seconds provisioner_silence{120};

/// A daemon as the wire contract shows a provisioner: how many tasks it runs at once, which tenants
/// these are promised to, and for which it is at work.
struct ProvisionerView {
    /// The host and eight digits that stand for the daemon's lock file: clients put it into paths
    /// as it is.
    std::string id;
    std::string host;
    int capacity_total = 0;
    int capacity_free = 0;
    /// Tenant name -> workers; who has none is left out.
    std::vector<std::pair<std::string, int>> assignments;
    /// Tenant name -> tasks in flight.
    std::vector<std::pair<std::string, int>> usage;
};

/// What the views are made of.
struct ProvisionerFacts {
    std::vector<store::DaemonRow> daemons;
    std::vector<model::Tenant> tenants;
    std::vector<store::WorkInFlight> in_flight;
};

/// The daemons heard of lately, by id. Workers are promised tenant by tenant to the first daemon
/// that has some left; promised ones nobody can give are not shown. Any daemon takes any tenant's
/// task: which daemon promised is for the eye only.
std::vector<ProvisionerView> provisioner_views(const ProvisionerFacts& facts, base::Timestamp now);

/// The same with what the database says now.
std::vector<ProvisionerView> provisioner_views(store::Connection& connection, base::Timestamp now);

}  // namespace provisioner::operations
