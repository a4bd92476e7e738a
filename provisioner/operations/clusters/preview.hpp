#pragma once

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/solver/explain/reasons.hpp"

namespace provisioner::operations {

// Previews of a create. They use the checks, the solver and the planner of create_cluster and write
// nothing. Each reads in one snapshot and takes no lock.

/// A range of cluster sizes, both ends included; 1 <= from <= to.
struct SizeRange {
    int from = 1;
    int to = 1;
};

/// The result that a create would have.
/// A service on some machine that needs what no machine has.
struct LackingService {
    std::string service{};
    /// The service that it needs, or what that should provide.
    std::string needs{};
};

struct ClusterPreview {
    solver::ClusterLayout layout{};
    /// For each group of `layout`, why it is as it is. Empty unless asked for.
    std::vector<solver::GroupReasons> reasons{};
    /// In the order of their numbers.
    std::vector<NodePreview> nodes{};
    /// Services that lack another one: the solver knows of no dependencies.
    std::vector<LackingService> lacking{};
    /// Number of tasks by action, in the order in which a create runs them.
    std::vector<std::pair<model::Action, int>> tasks{};
    /// The sum of `tasks`.
    int task_count = 0;
    /// Number of stages in the API's `plans`.
    int stage_count = 0;
    /// Nothing: never.
    std::optional<base::Timestamp> expires_at{};
    /// Name of the provider that would be used.
    std::string provider{};
    /// Its label, or its name if it has none.
    std::string provider_title{};
    /// The numbers of nodes that the template allows.
    SizeRange allowed{};
    /// What the machines cost per hour; nothing without any price list.
    std::optional<model::HourlyCost> cost{};
    /// What they cost until the end of the lease; empty for a cluster that never expires.
    model::Amounts cost_of_lease{};
    /// About the tenant's budget, with these machines.
    std::vector<std::string> warnings{};
};

/// Whether a preview also explains its layout, which takes additional time.
enum class Explain { no, yes };

/// Which services of the layout need another one that is on none of its machines, by itself or as
/// what it provides. Pure.
std::vector<LackingService> lacking_services(const std::vector<model::Service>& services,
                                             const solver::ClusterLayout& layout);

/// Checks, solves and plans. Refused as create_cluster, also with too_busy.
Result<ClusterPreview> preview_cluster(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, base::Timestamp now,
                                       Explain explain = Explain::no);

/// The largest number of sizes that one call of preview_sizes computes.
constexpr int most_sizes = 50;

/// The cluster with another number of nodes.
struct SizePreview {
    int machines = 0;
    /// Empty when there are problems.
    solver::ClusterLayout layout{};
    int task_count = 0;
    /// What the machines cost per hour; nothing without any price list.
    std::optional<model::HourlyCost> cost{};
    /// Why the cluster cannot have this size; empty when it can.
    base::Problems problems{};
};

/// The request with each number of nodes in `sizes`, in their order. Uses the short search
/// (layout_at_a_glance), so a size that takes long counts as a problem. Checks every size from the
/// start: the cost is that of so many previews.
///
/// Throws std::invalid_argument for sizes below 1 or more than most_sizes of them. Never refuses:
/// problems are in each SizePreview.
std::vector<SizePreview> preview_sizes(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, const std::vector<int>& sizes,
                                       base::Timestamp now);

/// Every size of the range, in ascending order.
std::vector<int> all_sizes(SizeRange range);

/// `machines`, which must be allowed, and the sizes next to it that a user would think of, in
/// ascending order: two below and three above, as far as they are allowed. They are round numbers
/// where `machines` is 20 or more, about a tenth of it apart.
std::vector<int> sizes_near(int machines, SizeRange allowed);

}  // namespace provisioner::operations
