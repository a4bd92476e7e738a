#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/machines/price.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/layouts.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/planner/task_graph.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

// The checks and computations of a new cluster before it is written. The previews use the functions
// of create_cluster, so a preview shows what a create does. Everything here only reads.

/// The largest number of nodes of a cluster, whatever its template allows.
constexpr int max_cluster_size = 10000;

/// Whether the tenant would exceed its quota of clusters or nodes with `more` of them. Reads the
/// present quota, because the caller was authenticated earlier. True for a deleted tenant. The
/// result holds until the transaction ends only if the tenant is locked.
bool exceeds_quota(store::Connection& connection, const model::Tenant& tenant,
                   const store::TenantUse& more);

/// Whether a template allows a cluster of so many nodes. Refused as invalid with the wire
/// contract's text on `numMachines`.
Result<void> check_size(const model::Constraints& constraints, int machines);

/// A node of a cluster before it is stored, as previews show it.
struct NodePreview {
    /// From number_nodes; unique in the cluster.
    int nodenum = 0;
    std::string hardware_type;
    std::string image_type;
    /// Names, sorted.
    std::vector<std::string> services;
};

/// Everything a create knows before it writes.
struct PreparedCluster {
    /// The provider with the request's open fields, the resolved template, and the definitions of
    /// the cluster's services.
    model::Snapshot snapshot;
    /// Names of the cluster's services, without repeats, in the request's order.
    std::vector<std::string> services;
    /// The request's configuration, or the template's default.
    base::Json config;
    /// Nothing: never.
    std::optional<base::Timestamp> expires_at;
    /// May be empty, and may begin with a dot if it comes from the template.
    std::string dns_suffix;
    /// Secret provider fields that came with the request: name -> open value. Never stored in this
    /// form.
    base::Json secrets = base::Json::object();
    /// The tenant's catalogue of machines, newest versions.
    std::vector<model::HardwareType> hardware_types;
    std::vector<model::ImageType> image_types;
    /// The problem that `layout` solves. For explanations of the layout.
    solver::LayoutProblem problem;
    solver::ClusterLayout layout;
    /// TaskKey::node is an index into number_nodes(layout).
    planner::TaskGraph graph;
    /// Where the provider makes the machines; empty: without regions.
    std::string region{};
    /// What the machines cost per hour; nothing without any price list.
    std::optional<model::HourlyCost> cost{};
    /// About the tenant's budget, with these machines.
    std::vector<std::string> warnings{};
};

/// Template, size, provider, lease, DNS suffix and configuration: all that is known without a
/// layout. Leaves layout, graph, problem and the snapshot's services empty. Does not check the
/// quota.
Result<PreparedCluster> prepare_cluster_frame(store::Connection& connection,
                                              const model::Caller& caller,
                                              const CreateCluster& wanted, base::Timestamp now);

/// All checks in the wire contract's order, then the layout, the plan and the budget. Refuses with
/// the first check that fails, or with all problems of the request itself. Throws what `lay_out`
/// throws: with the default, call it inside working_out_layouts().
Result<PreparedCluster> prepare_cluster(store::Connection& connection, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now,
                                        const LayOut& lay_out = layout_of);

/// The nodes of a layout, one by one in its order, numbered from `first`.
std::vector<NodePreview> number_nodes(const solver::ClusterLayout& layout,
                                      int first = model::first_nodenum);

/// The tenant's catalogue of machines, newest versions.
struct MachineTypes {
    std::vector<model::HardwareType> hardware;
    std::vector<model::ImageType> image;
};

/// Reads the catalogue; throws std::logic_error when a stored entry cannot be read.
MachineTypes machine_types(store::Connection& connection, model::TenantId tenant);

/// A new node in the form in which it is stored, with a random UUID. `cluster` must have its id
/// already, because hostnames contain it. Settings are those of both types for the cluster's
/// provider; the hardware type's come first where both have one.
model::Node node_row(const model::Cluster& cluster, const NodePreview& preview,
                     const MachineTypes& types);

}  // namespace provisioner::operations
