#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/operations/create_cluster.hpp"
#include "provisioner/operations/layouts.hpp"
#include "provisioner/planner/task_graph.hpp"

namespace provisioner::operations {

/// A node of a cluster to be: what the preview shows.
struct NodePreview {
    int nodenum = 0;
    std::string hardware_type;
    std::string image_type;
    std::vector<std::string> services;
};

/// Everything a create knows before it writes.
struct PreparedCluster {
    model::Snapshot snapshot;
    std::vector<std::string> services;
    base::Json config;
    std::optional<base::Timestamp> expires_at;
    std::string dns_suffix;
    /// Secret provider fields that came with the request, open.
    base::Json secrets = base::Json::object();
    std::vector<model::HardwareType> hardware_types;
    std::vector<model::ImageType> image_types;
    /// What the layout is the answer to.
    solver::LayoutProblem problem;
    solver::ClusterLayout layout;
    planner::TaskGraph graph;
};

/// Template, provider, lease and configuration: what can be known before the layout. Only reads.
Result<PreparedCluster> prepare_cluster_frame(store::Connection& connection,
                                              const model::Caller& caller,
                                              const CreateCluster& wanted, base::Timestamp now);

/// All checks in the wire contract's order, the layout and the plan. Only reads. Throws what
/// `lay_out` throws.
Result<PreparedCluster> prepare_cluster(store::Connection& connection, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now,
                                        const LayOut& lay_out = layout_of);

/// What the nodes of a cluster are numbered from.
constexpr int first_nodenum = 1000;

/// The nodes of a layout, numbered from `first` in its order.
std::vector<NodePreview> number_nodes(const solver::ClusterLayout& layout,
                                      int first = first_nodenum);

}  // namespace provisioner::operations
