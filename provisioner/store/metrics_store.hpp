#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/store/database.hpp"

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

/// From when to when a machine was there.
struct NodeSpan {
    base::Timestamp created{};
    std::optional<base::Timestamp> deleted;
};

/// The spans of nodes whose machine was made: from the end of its CREATE task to that of its
/// earliest DELETE task, both complete.
std::vector<NodeSpan> node_spans(Connection& connection, const UsageFilter& filter);

}  // namespace provisioner::store
