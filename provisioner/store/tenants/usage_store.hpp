#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// What of one tenant's work can be done now and what is being done.
struct QueueMetric {
    /// The tenant's name.
    std::string tenant;
    int queued = 0;
    int in_progress = 0;
};

/// Of every tenant that is not deleted, or of one; oldest tenant first.
std::vector<QueueMetric> queue_metrics(Connection& connection, std::optional<model::TenantId> only);

/// Which nodes are counted; what is empty does not restrict them.
struct UsageFilter {
    /// The tenant's id as the outside sees it.
    std::string tenant_uid;
    std::string owner;
    std::optional<model::ClusterId> cluster;
    std::string cluster_template;
};

/// From when to when a machine was there: from the end of its CREATE task to that of its DELETE
/// task, or until its cluster was terminated without one.
struct NodeSpan {
    base::Timestamp created{};
    std::optional<base::Timestamp> deleted;
};

/// The sums of spans that are over.
struct UsageTotals {
    std::int64_t machines = 0;
    std::int64_t seconds = 0;
    /// Whole ones of each machine, then added up; so are hours and days.
    std::int64_t minutes = 0;
    std::int64_t hours = 0;
    std::int64_t days = 0;
    /// Of the first creation and the last deletion; nothing without machines.
    std::optional<base::Timestamp> first{};
    std::optional<base::Timestamp> last{};
};

/// What has been added up, without what node_spans_after_totals gives. Of single clusters nothing
/// is added up.
UsageTotals usage_totals(Connection& connection, const UsageFilter& filter);

/// The spans that are not in the totals: machines that are there, and those that went lately. Of a
/// single cluster all.
std::vector<NodeSpan> node_spans_after_totals(Connection& connection, const UsageFilter& filter);

/// All spans that are at least partly in the time from `start` to `end`.
std::vector<NodeSpan> node_spans_between(Connection& connection, const UsageFilter& filter,
                                         base::Timestamp start, base::Timestamp end);

/// Adds up to `limit` spans that are over to the totals; returns how many.
int add_up_spans(Connection& connection, int limit);

}  // namespace provisioner::store
