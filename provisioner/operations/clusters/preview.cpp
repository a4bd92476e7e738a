#include "provisioner/operations/clusters/preview.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/planner/plan.hpp"

namespace provisioner::operations {

namespace {

constexpr int sizes_below = 2;
constexpr int sizes_above = 3;

SizePreview preview_size(store::Connection& connection, const model::Caller& caller,
                         const CreateCluster& wanted, base::Timestamp now) {
    SizePreview preview{.machines = wanted.machines};
    auto prepared = prepare_cluster(connection, caller, wanted, now, layout_at_a_glance);
    if (!prepared) {
        preview.problems = prepared.error().problems;
        return preview;
    }
    preview.layout = std::move(prepared->layout);
    preview.task_count = static_cast<int>(prepared->graph.tasks().size());
    preview.cost = std::move(prepared->cost);
    return preview;
}

model::Amounts cost_until_end(const PreparedCluster& prepared, base::Timestamp now) {
    model::Amounts amounts;
    if (!prepared.cost || !prepared.expires_at) return amounts;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*prepared.expires_at - now);
    for (const auto& [currency, micros] : prepared.cost->per_hour.by_currency()) {
        amounts.add({.currency = currency, .micros = model::cost_of(micros, seconds.count())});
    }
    return amounts;
}

}  // namespace

Result<ClusterPreview> preview_cluster(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, base::Timestamp now,
                                       Explain explain) {
    const auto prepare = [&](store::Connection& connection) {
        return prepare_cluster(connection, caller, wanted, now);
    };
    const auto prepared =
        working_out_layouts(caller.tenant.id, [&] { return database.read(prepare); });
    if (!prepared) return base::unexpected(prepared.error());

    ClusterPreview preview;
    preview.layout = prepared->layout;
    if (explain == Explain::yes) {
        preview.reasons = solver::reasons_for(prepared->problem, prepared->layout);
    }
    preview.nodes = number_nodes(prepared->layout);
    preview.task_count = static_cast<int>(prepared->graph.tasks().size());
    preview.stage_count = static_cast<int>(planner::stages(prepared->graph).size());
    preview.expires_at = prepared->expires_at;
    preview.provider = prepared->snapshot.provider.header.name;
    preview.provider_title = prepared->snapshot.provider.header.label.value_or(preview.provider);
    const auto& constraints = prepared->snapshot.cluster_template.constraints;
    preview.allowed = {.from = std::max(1, constraints.size_min), .to = constraints.size_max};
    preview.tasks = planner::count_by_action(prepared->graph, model::Operation::cluster_create);
    preview.cost = prepared->cost;
    preview.cost_of_lease = cost_until_end(*prepared, now);
    preview.warnings = prepared->warnings;
    return preview;
}

std::vector<SizePreview> preview_sizes(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, SizeRange range,
                                       base::Timestamp now) {
    if (range.from < 1 || range.to < range.from || range.to - range.from >= most_sizes) {
        throw std::invalid_argument("not a range of sizes");
    }
    return database.read([&](store::Connection& connection) {
        std::vector<SizePreview> sizes;
        auto other = wanted;
        for (other.machines = range.from; other.machines <= range.to; ++other.machines) {
            sizes.push_back(preview_size(connection, caller, other, now));
        }
        return sizes;
    });
}

SizeRange sizes_near(int machines, SizeRange allowed) {
    return {.from = std::max(allowed.from, machines - sizes_below),
            .to = machines + std::min(sizes_above, allowed.to - machines)};
}

}  // namespace provisioner::operations
