#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::api {

/// Milliseconds since 1970; 0 for a moment that has not come or never comes.
std::int64_t millis_or_zero(const std::optional<provisioner::base::Timestamp>& moment);

/// The cluster number in a path: "1" and "00000001" are the same. Nothing for any text that is not
/// a non-negative number.
std::optional<provisioner::model::ClusterId> cluster_id_in(std::string_view text);

/// The two numbers of a job's id, "00000001-002". They come from a client: the job may belong to
/// another cluster.
struct WireJobId {
    provisioner::model::ClusterId cluster;
    provisioner::model::JobId job;
};
/// Nothing for a malformed id.
std::optional<WireJobId> job_id_in(std::string_view text);

/// The three numbers of a task's id, "00000001-002-011". The handler must check that they belong
/// together.
struct WireTaskId {
    provisioner::model::ClusterId cluster;
    provisioner::model::JobId job;
    provisioner::model::TaskId task;
};
/// Nothing for a malformed id.
std::optional<WireTaskId> task_id_in(std::string_view text);

/// A catalogue entry with `version` in the place the wire contract has it: behind name, label,
/// description and icon.
provisioner::base::Json in_wire_order(const provisioner::base::Json& entry);

/// A cluster as GET /v2/clusters lists it. `progress` is that of the latest job, or "solve_layout",
/// "not_submitted" without one.
provisioner::base::Json to_json(const provisioner::store::ClusterSummary& cluster);

/// The answer of GET /v2/clusters/{id}/status, which scripts poll.
provisioner::base::Json status_json(const provisioner::store::ClusterState& cluster);

/// Everything GET /v2/clusters/{id} shows, read in one transaction.
struct ClusterDetails {
    provisioner::model::Cluster cluster;
    /// The tenant's id as clients see it.
    std::string tenant_uid;
    /// Nothing for a cluster without a job.
    std::optional<provisioner::model::Job> latest_job;
    /// The present nodes by nodenum; nodes that left are missing.
    std::vector<provisioner::model::Node> nodes;
    /// Attempts on all nodes, oldest first; at most the newest 200 of each node.
    std::vector<provisioner::store::Attempt> attempts;
    /// Set if the lease has ended and the deletion failed so far.
    std::optional<provisioner::model::FailedDeletions> failed_deletions{};
    /// Nothing without any price list.
    std::optional<provisioner::operations::ClusterCost> cost{};
};

/// A cluster in full. Macros in links are expanded; a link that cannot be expanded is shown as
/// written. Secret provider fields are masked. `failedDeletions` and `cost` are outside the wire
/// contract; the first is absent without failures, the second without prices.
provisioner::base::Json to_json(const ClusterDetails& details);

/// A node of these details as GET /v2/nodes shows it. The wire contract shows the stored record
/// there: inner member names of services, and statuses in capitals. `node` must be one of
/// `details.nodes`.
provisioner::base::Json stored_node_json(const ClusterDetails& details,
                                         const provisioner::model::Node& node);

/// What a create would do: {layout, nodes, tasks, taskCount, stageCount, expireTime, provider}.
/// `expireTime` is 0 for a cluster that never expires. If reasons were asked for, each group of the
/// layout has "reasons": {services: [{service, here, reason}], machine}. `cost` ({perHour,
/// unpriced, untilExpiry}) is there if there are prices, `warnings` if there are any.
provisioner::base::Json to_json(const provisioner::operations::ClusterPreview& preview);

/// {numMachines, layout, taskCount}, or {numMachines, problems} if the cluster cannot have that
/// size.
provisioner::base::Json to_json(const provisioner::operations::SizePreview& size);

/// A piece of a transcript: {id, attempt, stream, time, text}. `stream` is "out", "err" or "note".
/// `missing` is there if bytes printed before the piece were not kept; it is their number.
provisioner::base::Json to_json(const provisioner::store::TranscriptPiece& piece);

}  // namespace fcgi::api
