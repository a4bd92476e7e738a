#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/queue/task_queue.hpp"
#include "provisioner/store/work_store.hpp"

namespace provisioner::daemon {

/// The task as the wire contract's task JSON: taskId, jobId, clusterId, taskName, nodeId and
/// config, in which the node's accumulated results stand at top level. `cluster_config` is the
/// cluster's configuration, macros expanded for service tasks.
base::Json task_document(const store::ClusterView& cluster, const model::Node& node,
                         const queue::Claim& claim, base::Json cluster_config);

}  // namespace provisioner::daemon
