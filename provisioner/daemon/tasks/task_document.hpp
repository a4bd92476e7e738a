#pragma once

#include "provisioner/automators/shared_values.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/queue/task_queue.hpp"
#include "provisioner/store/clusters/work_store.hpp"

namespace provisioner::daemon {

/// The task as the wire contract's task JSON: taskId, jobId, clusterId, taskName, nodeId and
/// config, in which the node's accumulated results stand at top level. `cluster_config` is the
/// cluster's configuration, macros expanded for service tasks; its nodes are put into `shared`,
/// which must not outlive the cluster.
base::Json task_document(const store::ClusterView& cluster, const model::Node& node,
                         const queue::Claim& claim, base::Json cluster_config,
                         automators::SharedValues& shared);

}  // namespace provisioner::daemon
