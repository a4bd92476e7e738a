#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::api {

/// "CLUSTER_CREATE": an enum's word as plans and node actions write it.
std::string in_capitals(std::string word);

/// Milliseconds since 1970; 0 for a moment that has not come or never will.
std::int64_t millis_or_zero(const std::optional<provisioner::base::Timestamp>& moment);

/// The number in a path: "1" and "00000001" are the same cluster; nothing for anything that is no
/// number.
std::optional<provisioner::model::ClusterId> cluster_id_in(std::string_view text);

/// The two numbers of a job's id, "00000001-002".
struct WireJobId {
    provisioner::model::ClusterId cluster;
    provisioner::model::JobId job;
};
std::optional<WireJobId> job_id_in(std::string_view text);

/// The three numbers of a task's id, "00000001-002-011".
struct WireTaskId {
    provisioner::model::ClusterId cluster;
    provisioner::model::JobId job;
    provisioner::model::TaskId task;
};
std::optional<WireTaskId> task_id_in(std::string_view text);

/// A catalogue entry with its `version` where the wire contract shows it: behind name, label,
/// description and icon.
provisioner::base::Json in_wire_order(const provisioner::base::Json& entry);

/// A cluster as GET /v2/clusters lists it.
provisioner::base::Json to_json(const provisioner::store::ClusterSummary& cluster);

/// GET /v2/clusters/{id}/status.
provisioner::base::Json status_json(const provisioner::store::ClusterState& cluster);

/// Everything GET /v2/clusters/{id} shows.
struct ClusterDetails {
    provisioner::model::Cluster cluster;
    /// The tenant's id as the outside sees it.
    std::string tenant_uid;
    std::optional<provisioner::model::Job> latest_job;
    std::vector<provisioner::model::Node> nodes;
    /// Of all nodes, oldest first.
    std::vector<provisioner::store::Attempt> attempts;
    /// When its lease has ended and it could not be deleted.
    std::optional<provisioner::model::FailedDeletions> failed_deletions{};
};

/// Links are expanded here; a link that cannot be expanded is shown as it is.
provisioner::base::Json to_json(const ClusterDetails& details);

/// A node of these details as GET /v2/nodes shows it: as stored, with the reflective names and
/// capitals of the wire contract.
provisioner::base::Json stored_node_json(const ClusterDetails& details,
                                         const provisioner::model::Node& node);

/// What a create would do: {layout, nodes, tasks, taskCount, stageCount, expireTime, provider}; the
/// groups of the layout with "reasons" ({services: [{service, here, reason}], machine}) where they
/// are known.
provisioner::base::Json to_json(const provisioner::operations::ClusterPreview& preview);

/// {numMachines, layout, taskCount}, or {numMachines, problems} for a size it cannot have.
provisioner::base::Json to_json(const provisioner::operations::SizePreview& size);

/// A piece of a transcript: {id, attempt, stream, time, text}, and `missing` when so many bytes
/// before it were printed and are not kept.
provisioner::base::Json to_json(const provisioner::store::TranscriptPiece& piece);

}  // namespace fcgi::api
