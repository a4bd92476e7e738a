#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/daemon/tasks/work.hpp"

namespace provisioner::daemon {

/// Gives tasks what is needed to do them. Tasks of a batch and of the ones before share what they
/// have in common: the cluster, its nodes, the tenant's resources. One thread at a time.
class TaskContext {
 public:
    /// `installation` is what marks machines as this one's. The database must outlive it.
    TaskContext(store::Database& database, std::string installation)
        : database_(database), installation_(std::move(installation)) {}

    /// A task that cannot be briefed, and why.
    struct Unreadable {
        queue::Claim claim;
        std::string reason;
    };
    struct Batch {
        std::vector<Work> works;
        std::vector<Unreadable> unreadable;
    };

    /// For every claim either its work or why there is none.
    Batch brief(const std::vector<queue::Claim>& claims);

 private:
    using ByCluster = std::map<model::ClusterId, std::vector<queue::Claim>>;
    /// Automator type -> the live resources of one tenant.
    using TenantResources =
        std::map<std::pair<model::TenantId, std::string>, std::shared_ptr<const LiveResources>>;

    std::vector<Work> works_of(store::Connection& connection, const ByCluster& clusters);
    void brief_cluster(store::Connection& connection, model::ClusterId cluster,
                       const std::vector<queue::Claim>& claims, TenantResources& resources,
                       std::vector<Work>& works);

    store::Database& database_;
    std::string installation_;
    store::ClusterWatch watch_;
};

}  // namespace provisioner::daemon
