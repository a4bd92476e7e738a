#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "provisioner/daemon/tasks/work.hpp"

namespace provisioner::daemon {

/// Reads the context of claimed tasks from the database: cluster, nodes, opened account, resources.
///
/// Tasks of one batch share one copy of each, and unchanged clusters and nodes are shared with
/// earlier batches (store::ClusterWatch). So thousands of tasks in flight hold one copy of a large
/// cluster, and a batch reads only what has changed. One thread at a time: the claimer's.
class TaskContext {
 public:
    /// Adds the files that an account names (AccountFiles::add()).
    using AddFiles = std::function<void(store::Connection&, model::Account&)>;

    /// `installation` is its id, which goes into each account. The database must outlive the
    /// object.
    TaskContext(store::Database& database, std::string installation, AddFiles add_files)
        : database_(database),
          installation_(std::move(installation)),
          add_files_(std::move(add_files)) {}

    /// A claim whose context cannot be read, and the reason as text.
    struct Unreadable {
        queue::Claim claim;
        std::string reason;
    };
    /// Each claim is in exactly one of the two; both are ordered by cluster.
    struct Batch {
        std::vector<Work> works;
        std::vector<Unreadable> unreadable;
    };

    /// Reads the context of all claims in one read transaction. If that fails, reads each cluster
    /// in its own: a cluster with a broken snapshot or secret fails only its own tasks. Does not
    /// throw std::exception.
    Batch read(const std::vector<queue::Claim>& claims);

 private:
    using ByCluster = std::map<model::ClusterId, std::vector<queue::Claim>>;
    /// Automator type -> the live resources of one tenant.
    using TenantResources =
        std::map<std::pair<model::TenantId, std::string>, std::shared_ptr<const LiveResources>>;

    /// Throws when any of the clusters cannot be read.
    std::vector<Work> works_of(store::Connection& connection, const ByCluster& clusters);
    void brief_cluster(store::Connection& connection, model::ClusterId cluster,
                       const std::vector<queue::Claim>& claims, TenantResources& resources,
                       std::vector<Work>& works);

    store::Database& database_;
    std::string installation_;
    AddFiles add_files_;
    /// Rows and parsed values of the clusters read last.
    store::ClusterWatch watch_;
};

}  // namespace provisioner::daemon
