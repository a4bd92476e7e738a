#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Reports of work and of machine usage. A span is written when a machine is made and ends when it
// is deleted; it outlives node and cluster. Spans that have ended are added to totals per tenant,
// owner and template. So a question about all time reads few rows, and retention can delete old
// spans.

/// The tasks of one tenant that can be done or are being done.
struct QueueMetric {
    /// The tenant's name.
    std::string tenant;
    /// Ready tasks, those of paused jobs included.
    int queued = 0;
    /// Claimed tasks.
    int in_progress = 0;
};

/// For every tenant that is not deleted, or for `only`; oldest tenant first. Tenants without tasks
/// are included. The caller's tenant must exist: an empty list is taken for a failed read and
/// throws DatabaseUnavailable, which is repeatable.
std::vector<QueueMetric> queue_metrics(Connection& connection, std::optional<model::TenantId> only);

/// Which machines are counted. An empty member does not restrict them.
struct UsageFilter {
    /// The tenant's id in the API (Tenant::uid).
    std::string tenant_uid{};
    /// The tenant's key: as good as its uid.
    std::optional<model::TenantId> tenant{};
    /// Name of the cluster's owner.
    std::string owner{};
    /// The cluster may be deleted already: spans keep its id.
    std::optional<model::ClusterId> cluster{};
    /// Name of the cluster's template.
    std::string cluster_template{};
};

/// The time during which a machine existed: from the end of its CREATE task to the end of its
/// DELETE task. A machine that was never deleted counts until its cluster was terminated.
struct NodeSpan {
    base::Timestamp created{};
    /// Nothing: the machine exists.
    std::optional<base::Timestamp> deleted;
};

/// The sums of spans that have ended.
struct UsageTotals {
    /// Number of spans.
    std::int64_t machines = 0;
    std::int64_t seconds = 0;
    /// Whole minutes of each machine, added up; hours and days likewise. So this is not seconds /
    /// 60.
    std::int64_t minutes = 0;
    std::int64_t hours = 0;
    std::int64_t days = 0;
    /// The first creation and the last deletion; nothing without machines.
    std::optional<base::Timestamp> first{};
    std::optional<base::Timestamp> last{};
};

/// The totals of the machines that `filter` selects. Together with node_spans_after_totals they
/// count every machine once, if both are read in one snapshot. Zero for a filter with a cluster:
/// totals do not know clusters.
UsageTotals usage_totals(Connection& connection, const UsageFilter& filter);

/// The spans that the totals do not include: machines that exist, and machines deleted since the
/// last add_up_spans. All spans for a filter with a cluster. In no order.
std::vector<NodeSpan> node_spans_after_totals(Connection& connection, const UsageFilter& filter);

/// All spans that overlap the time from `start` to `end`, whether the totals include them or not.
/// In no order. A span that retention has deleted is missing.
std::vector<NodeSpan> node_spans_between(Connection& connection, const UsageFilter& filter,
                                         base::Timestamp start, base::Timestamp end);

/// Adds up to `limit` ended spans to the totals, their costs included, and marks them; returns
/// their number. Two daemons may do it at once: each span is added once. Called by
/// operations::prune until it returns 0.
int add_up_spans(Connection& connection, int limit);

}  // namespace provisioner::store
