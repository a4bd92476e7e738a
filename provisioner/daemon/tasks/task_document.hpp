#pragma once

#include "provisioner/automators/shared_values.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/queue/task_queue.hpp"
#include "provisioner/store/clusters/work_store.hpp"

namespace provisioner::daemon {

/// The task as the wire contract's task JSON: taskId, jobId, clusterId, taskName, nodeId and
/// config. Config has the node's properties and reported facts at top level, and the cluster's
/// configuration, the service, the provider and all nodes as members. Sealed fields of the provider
/// are left out.
///
/// `cluster_config` is the cluster's configuration, with macros expanded for service tasks. The
/// nodes are a reference into `shared`, written once for all tasks of the cluster; `shared` must
/// not outlive `cluster`. Throws std::logic_error when the snapshot lacks the service or its
/// action.
base::Json task_document(const store::ClusterView& cluster, const model::Node& node,
                         const queue::Claim& claim, base::Json cluster_config,
                         automators::SharedValues& shared);

}  // namespace provisioner::daemon
