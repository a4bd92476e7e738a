#include "provisioner/operations/clusters/preview.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "provisioner/planner/plan.hpp"
#include "provisioner/solver/layout/selection.hpp"

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

/// The largest of 1, 2, 5, 10, 20, 50, … that is at most `limit`; 1 for a limit below 1.
std::int64_t round_step(std::int64_t limit) {
    std::int64_t tens = 1;
    while (tens * 10 <= limit) tens *= 10;
    return tens * 5 <= limit ? tens * 5 : tens * 2 <= limit ? tens * 2 : tens;
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

std::vector<LackingService> lacking_services(const std::vector<model::Service>& services,
                                             const solver::ClusterLayout& layout) {
    std::set<std::string> placed;
    for (const solver::NodeGroup& group : layout.groups) {
        placed.insert(group.services.begin(), group.services.end());
    }
    std::vector<LackingService> lacking;
    for (auto& [service, need] :
         solver::unmet_requirements({placed.begin(), placed.end()}, services)) {
        lacking.push_back({std::move(service), std::move(need)});
    }
    return lacking;
}

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
    preview.lacking = lacking_services(prepared->snapshot.services, prepared->layout);
    preview.task_count = static_cast<int>(prepared->graph.tasks().size());
    preview.stage_count = static_cast<int>(planner::stages(prepared->graph).size());
    preview.expires_at = prepared->expires_at;
    preview.provider = prepared->snapshot.provider.header.name;
    preview.provider_title = prepared->snapshot.provider.header.label.value_or(preview.provider);
    const auto& constraints = prepared->snapshot.cluster_template.constraints;
    preview.allowed = {.from = std::max(1, constraints.size_min), .to = constraints.size_max};
    preview.tasks = planner::count_by_action(prepared->graph);
    preview.cost = prepared->cost;
    preview.cost_of_lease = cost_until_end(*prepared, now);
    preview.warnings = prepared->warnings;
    return preview;
}

std::vector<SizePreview> preview_sizes(store::Database& database, const model::Caller& caller,
                                       const CreateCluster& wanted, const std::vector<int>& sizes,
                                       base::Timestamp now) {
    const bool has_wrong = std::ranges::any_of(sizes, [](int size) { return size < 1; });
    if (has_wrong || sizes.size() > static_cast<std::size_t>(most_sizes)) {
        throw std::invalid_argument("not sizes to preview");
    }
    return database.read([&](store::Connection& connection) {
        std::vector<SizePreview> previews;
        auto other = wanted;
        for (const int size : sizes) {
            other.machines = size;
            previews.push_back(preview_size(connection, caller, other, now));
        }
        return previews;
    });
}

std::vector<int> all_sizes(SizeRange range) {
    std::vector<int> sizes;
    for (int size = range.from; size <= range.to; ++size) sizes.push_back(size);
    return sizes;
}

std::vector<int> sizes_near(int machines, SizeRange allowed) {
    const std::int64_t step = round_step(machines / 10);
    std::vector<int> sizes;
    const auto add = [&](std::int64_t size) {
        if (size >= allowed.from && size <= allowed.to) sizes.push_back(static_cast<int>(size));
    };
    const std::int64_t below = (machines - 1) / step * step;
    const std::int64_t above = (machines / step + 1) * step;
    for (int i = sizes_below - 1; i >= 0; --i) add(below - i * step);
    add(machines);
    for (int i = 0; i < sizes_above; ++i) add(above + i * step);
    return sizes;
}

}  // namespace provisioner::operations
