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

/// A cluster with its snapshot, its configuration and all of its nodes as they are now.
struct ClusterWork {
    model::Cluster cluster;
    /// By nodenum, without those a job is taking away: who stays no longer counts on these.
    std::vector<model::Node> nodes;
    /// Those, by nodenum.
    std::vector<model::Node> leaving{};
};

/// The cluster whatever its tenant; nothing if there is none. For the daemon, not for requests.
std::optional<ClusterWork> find_work(Connection& connection, model::ClusterId cluster);

/// The same for workers, who look at a cluster again and again: what did not change from one look
/// to the next is the same object in both, so that thousands of tasks in flight hold one copy of
/// it.
struct ClusterView {
    std::shared_ptr<const model::Cluster> cluster;
    /// By nodenum, without those a job is taking away: who stays no longer counts on these.
    std::vector<std::shared_ptr<const model::Node>> nodes;
    /// Those, by nodenum.
    std::vector<std::shared_ptr<const model::Node>> leaving{};
    /// What was computed from the configuration and from how its nodes look; the same as before
    /// while neither has changed.
    std::shared_ptr<base::Memo> memo = std::make_shared<base::Memo>();

    /// A node of either kind; null when it is none of this cluster's.
    std::shared_ptr<const model::Node> find(model::NodeId node) const;
};

/// Looks at clusters for a worker. A look at a cluster of which nothing has changed costs one short
/// row; otherwise only nodes are read that have changed (job.node_changes, node.changed_in), and
/// only what differs is read as JSON again. One thread at a time.
class ClusterWatch {
 public:
    /// Keeps the rows of clusters with about `kept_nodes` nodes in all.
    explicit ClusterWatch(std::size_t kept_nodes = 20000);
    ~ClusterWatch();

    /// The cluster as it is now; nothing if there is none.
    std::shared_ptr<const ClusterView> look(Connection& connection, model::ClusterId cluster);

 private:
    struct Seen;

    Seen& found_or_new(model::ClusterId id);
    void forget(model::ClusterId id);

    std::size_t kept_nodes_;
    std::size_t seen_nodes_ = 0;
    /// Those that were looked at, the latest last.
    std::list<model::ClusterId> latest_last_;
    std::map<model::ClusterId, std::unique_ptr<Seen>> seen_;
};

/// The cluster whatever its tenant, its row locked until the transaction ends.
std::optional<model::Cluster> lock_for_work(Connection& connection, model::ClusterId cluster);

}  // namespace provisioner::store
