#pragma once

#include <map>
#include <vector>

#include "provisioner/model/machines/price.hpp"
#include "provisioner/store/tenants/usage_store.hpp"

namespace provisioner::store {

// What machines have cost. Spans say of what kind each machine was (usage_store.hpp), prices what
// that kind cost at the time (machines/price_store.hpp).

/// The span of a machine with its kind.
struct CostedSpan {
    NodeSpan span{};
    model::TenantId tenant{};
    /// Of the cluster.
    std::string owner{};
    std::string cluster_template{};
    model::MachineKind kind{};
};

/// The spans of node_spans_after_totals with their kinds.
std::vector<CostedSpan> costed_spans_after_totals(Connection& connection,
                                                  const UsageFilter& filter);

/// The spans of node_spans_between with their kinds.
std::vector<CostedSpan> costed_spans_between(Connection& connection, const UsageFilter& filter,
                                             base::Timestamp start, base::Timestamp end);

/// The cost of the machines that usage_totals counts.
model::MeteredCost cost_totals(Connection& connection, const UsageFilter& filter);

/// How long machines of one kind were there in a time, added up.
struct MachineSeconds {
    /// Of the clusters.
    std::string owner{};
    std::string cluster_template{};
    model::MachineKind kind{};
    /// Whole seconds of each machine.
    std::int64_t seconds = 0;
};

/// The time from `start` to `end`, which is not after now, by owner, template and kind. The
/// database adds up: the result is small however many machines there were.
std::vector<MachineSeconds> machine_seconds(Connection& connection, const UsageFilter& filter,
                                            base::Timestamp start, base::Timestamp end);

/// The machines that a tenant's living clusters have or will have, by the end of their cluster's
/// lease (nothing: never) and kind. Counts machines that are not made yet and those that are being
/// taken away. Lock the tenant first for a result that holds until the transaction ends.
std::map<std::optional<base::Timestamp>, model::MachineCounts> committed_machines(
    Connection& connection, model::TenantId tenant);

/// Adds the cost of the spans that add_up_spans has taken in this transaction to the totals. Only
/// add_up_spans calls it.
void add_up_costs(Connection& connection);

}  // namespace provisioner::store
