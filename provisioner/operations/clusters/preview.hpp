#pragma once

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/solver/explain/reasons.hpp"

namespace provisioner::operations {

/// Numbers of machines, both ends included; 1 <= from <= to.
struct SizeRange {
    int from = 1;
    int to = 1;
};

/// What a create would do.
struct ClusterPreview {
    solver::ClusterLayout layout{};
    /// By group of the layout, why it is as it is; only when asked for.
    std::vector<solver::GroupReasons> reasons{};
    std::vector<NodePreview> nodes{};
    /// Number of tasks by action, in the order actions run.
    std::vector<std::pair<model::Action, int>> tasks{};
    int task_count = 0;
    /// The API's stages of the plan: how long the longest chain is.
    int stage_count = 0;
    std::optional<base::Timestamp> expires_at{};
    std::string provider{};
    /// Numbers of machines the template allows.
    SizeRange allowed{};
};

/// Whether a preview says why the layout is as it is.
enum class Explain { no, yes };

/// Checks, solves and plans without writing anything.
Result<ClusterPreview> preview_cluster(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, base::Timestamp now,
                                       Explain explain = Explain::no);

/// How many sizes one call looks at.
constexpr int most_sizes = 50;

/// What the cluster would look like with another number of machines.
struct SizePreview {
    int machines = 0;
    /// Empty when there are problems.
    solver::ClusterLayout layout{};
    int task_count = 0;
    /// Why it cannot have this size.
    base::Problems problems{};
};

/// The request with each number of machines in the range instead of its own, of which there are at
/// most most_sizes.
std::vector<SizePreview> preview_sizes(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, SizeRange range,
                                       base::Timestamp now);

/// The sizes around this one, which is allowed, that are allowed as well.
SizeRange sizes_near(int machines, SizeRange allowed);

}  // namespace provisioner::operations
