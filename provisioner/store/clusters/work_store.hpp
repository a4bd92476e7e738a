#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/memo.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A cluster with its snapshot, its configuration and its present nodes, read once. For the body of
/// callbacks.
struct ClusterWork {
    model::Cluster cluster;
    /// By nodenum, without nodes that a job is taking away: the other nodes no longer depend on
    /// those.
    std::vector<model::Node> nodes;
    /// The nodes that a job is taking away, by nodenum.
    std::vector<model::Node> leaving{};
};

/// The cluster, of any tenant; nothing if there is none. For the daemon, not for requests.
std::optional<ClusterWork> find_work(Connection& connection, model::ClusterId cluster);

/// A cluster as one look of ClusterWatch found it. Immutable and shared. Objects that did not
/// change between two looks are the same in both views. So thousands of tasks in flight share one
/// copy of a large cluster. Any thread may read it, also after the watch is gone.
struct ClusterView {
    /// With snapshot, configuration and sealed secrets.
    std::shared_ptr<const model::Cluster> cluster;
    /// By nodenum, without nodes that a job is taking away: the other nodes no longer depend on
    /// those.
    std::vector<std::shared_ptr<const model::Node>> nodes;
    /// The nodes that a job is taking away, by nodenum.
    std::vector<std::shared_ptr<const model::Node>> leaving{};
    /// Values computed from the cluster and from the visible properties of its nodes. The next view
    /// shares it while neither has changed. Never null.
    std::shared_ptr<base::Memo> memo = std::make_shared<base::Memo>();

    /// A node of either list; null when the cluster has no such node. O(1) after the first call for
    /// `nodes`, O(n) for `leaving`.
    std::shared_ptr<const model::Node> find(model::NodeId node) const;
};

/// Reads clusters for the tasks of a worker, which come in many small batches.
///
/// A look compares one short row with the look before. The row has the latest job, its count of
/// node changes (job.node_changes), the number of nodes and the highest nodenum. Equal rows mean
/// that the earlier view still holds, and nothing else is read. Otherwise the cluster's row is
/// read, and either the nodes that changed since (node.changed_in) or all nodes. A row is parsed
/// again only if its text differs.
///
/// So whatever changes a cluster or its nodes for workers must start a job or count in
/// node_changes. For one thread at a time. Memory grows with `kept_nodes`.
class ClusterWatch {
 public:
    /// Keeps the rows of clusters with about `kept_nodes` nodes in all, those looked at last. One
    /// cluster is always kept, however large.
    explicit ClusterWatch(std::size_t kept_nodes = 20000);
    ~ClusterWatch();

    /// The present state of the cluster; null if there is none. Call it in a read transaction, so
    /// that all statements see one snapshot. When it throws, the cluster is forgotten, and the next
    /// look reads all of it.
    std::shared_ptr<const ClusterView> look(Connection& connection, model::ClusterId cluster);

 private:
    /// A cluster as the last look found it: its rows, its version and its view.
    struct Seen;

    /// look() without care for errors: one that throws leaves rows and view that do not fit.
    std::shared_ptr<const ClusterView> updated(Connection& connection, model::ClusterId cluster);
    /// Also moves the cluster to the end of latest_last_.
    Seen& found_or_new(model::ClusterId id);
    /// Drops a cluster and its nodes; does nothing when it is not kept.
    void forget(model::ClusterId id);

    std::size_t kept_nodes_;
    /// The nodes of all clusters in seen_.
    std::size_t seen_nodes_ = 0;
    /// The clusters of seen_, in the order of their last look. forget() takes the first.
    std::list<model::ClusterId> latest_last_;
    /// Pointers, so that a reference from found_or_new stays valid while others are dropped.
    std::map<model::ClusterId, std::unique_ptr<Seen>> seen_;
};

/// The cluster, of any tenant, its row locked until the transaction ends. For corrections by a
/// superadmin; requests of tenants use lock_cluster.
std::optional<model::Cluster> lock_for_work(Connection& connection, model::ClusterId cluster);

}  // namespace provisioner::store
