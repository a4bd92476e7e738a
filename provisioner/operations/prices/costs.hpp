#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/machines/price.hpp"
#include "provisioner/store/tenants/cost_store.hpp"

namespace provisioner::operations {

// What machines cost, by the price lists of their tenant. Where no list has a price that the tenant
// could use, nothing is said about costs.

/// The kind of a machine of `cluster`.
model::MachineKind kind_of(const model::Cluster& cluster, const model::Node& node);

/// The machines by kind.
model::MachineCounts count_by_kind(const model::Cluster& cluster,
                                   const std::vector<model::Node>& nodes);

/// What machines of a tenant cost per hour, by the prices at `now`. Nothing without any price list.
std::optional<model::HourlyCost> hourly_cost(store::Connection& connection, model::TenantId tenant,
                                             const model::MachineCounts& machines,
                                             base::Timestamp now);

/// What machines cost for one owner and one template.
struct CostShare {
    std::string owner{};
    std::string cluster_template{};
    /// Of all kinds of machines together.
    std::int64_t seconds = 0;
    model::MeteredCost cost{};
};

/// What machines of a tenant that `filter` selects have cost from `from` to `to`, by owner and
/// template. Each price counts for the time in which it was valid. `filter` must not lead to
/// machines of other tenants. Costs a read of the spans for each change of a price in that time.
std::vector<CostShare> cost_shares(store::Connection& connection, model::TenantId tenant,
                                   const store::UsageFilter& filter, base::Timestamp from,
                                   base::Timestamp to);

/// The sum of shares.
model::MeteredCost sum_of(const std::vector<CostShare>& shares);

/// The costs of a cluster.
struct ClusterCost {
    /// Of its present nodes, whether their machines are made or not.
    model::HourlyCost hourly{};
    /// Of the machines it ever had, up to the last whole minute: so that what is asked every second
    /// does not change every second.
    model::MeteredCost so_far{};
};

/// Nothing without any price list. `nodes` are the present ones; for a terminated cluster they cost
/// nothing.
std::optional<ClusterCost> cluster_cost(store::Connection& connection,
                                        const model::Cluster& cluster,
                                        const std::vector<model::Node>& nodes, base::Timestamp now);

}  // namespace provisioner::operations
