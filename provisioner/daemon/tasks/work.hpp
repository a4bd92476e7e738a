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

/// The live resources a tenant has for one automator.
struct LiveResources {
    std::vector<automators::Resource> resources;
    /// Checksum -> where the content is kept.
    std::map<std::string, model::Content> contents;
};

/// One task with all that is needed to do it.
struct Work {
    queue::Claim claim;
    std::shared_ptr<const store::ClusterView> cluster;
    /// Its provider, with what was given for the cluster alone.
    std::shared_ptr<const model::Account> account;
    /// The node of the cluster it is about.
    std::shared_ptr<const model::Node> node;
    /// Automator type -> the tenant's live resources of it.
    std::map<std::string, std::shared_ptr<const LiveResources>> resources;
};

}  // namespace provisioner::daemon
