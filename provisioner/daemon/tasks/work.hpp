#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "provisioner/automators/automator.hpp"
#include "provisioner/daemon/tasks/content_cache.hpp"
#include "provisioner/model/machines/account.hpp"
#include "provisioner/queue/task_queue.hpp"
#include "provisioner/store/clusters/work_store.hpp"

namespace provisioner::daemon {

/// The live resources (files of plugins) of one tenant for one automator, as the batch was read.
struct LiveResources {
    /// What the automator compiles from.
    std::vector<automators::Resource> resources;
    /// SHA-256 of a content -> where its bytes are kept.
    std::map<std::string, model::Content> contents;
};

/// One task with the context its turn needs. Built by TaskContext on the claimer's thread, then
/// moved to the loop of its node. Everything behind the pointers is immutable and shared with other
/// tasks, so a turn never reads the database. Never null, except that `resources` may lack an
/// automator.
struct Work {
    queue::Claim claim;
    /// The cluster with all of its nodes.
    std::shared_ptr<const store::ClusterView> cluster;
    /// The provider with opened secrets and the fields given for this cluster alone. Never logged.
    std::shared_ptr<const model::Account> account;
    /// The node of the task, as it was when the batch was read.
    std::shared_ptr<const model::Node> node;
    /// Automator type -> the tenant's live resources for it; one entry per automator of the node.
    std::map<std::string, std::shared_ptr<const LiveResources>> resources;
};

}  // namespace provisioner::daemon
