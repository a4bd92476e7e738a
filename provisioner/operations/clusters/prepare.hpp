#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/layouts.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

/// No cluster has more nodes than this.
constexpr int max_cluster_size = 10000;

/// Whether the tenant would have more clusters or nodes than it may, with `more` of them. Its row
/// must be locked for this to stay true.
bool exceeds_quota(store::Connection& connection, const model::Tenant& tenant,
                   const store::TenantUse& more);

/// Whether a template allows a cluster of so many nodes. Refused with the wire contract's text on
/// `numMachines`.
Result<void> check_size(const model::Constraints& constraints, int machines);

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

/// The tenant's catalogue of machines, newest versions.
struct MachineTypes {
    std::vector<model::HardwareType> hardware;
    std::vector<model::ImageType> image;
};

/// Reads it.
MachineTypes machine_types(store::Connection& connection, model::TenantId tenant);

/// A new node as it is stored: `cluster` gives number, name, DNS suffix, provider and the
/// definitions of its services, `preview` the rest.
model::Node node_row(const model::Cluster& cluster, const NodePreview& preview,
                     const MachineTypes& types);

}  // namespace provisioner::operations
