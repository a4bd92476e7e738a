#include "provisioner/store/tenants/cost_store.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/machines/price_store.hpp"
#include "provisioner/store/tenants/usage_rows.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_costed_spans = R"sql(
    SELECT began_at, ended_at, tenant_id, owner, cluster_template, provider_type, provider, region,
           flavor, image
    FROM machine_span
    WHERE TRUE
)sql";

constexpr auto select_cost_totals = R"sql(
    SELECT currency, SUM(micros) AS micros, SUM(unpriced_seconds) AS unpriced_seconds
    FROM machine_cost
    WHERE TRUE
)sql";

// `?`: the end twice, the start; then the restriction.
constexpr auto select_seconds = R"sql(
    SELECT owner, cluster_template, provider_type, provider, region, flavor, image,
           SUM(CAST(FLOOR(UNIX_TIMESTAMP(LEAST(COALESCE(ended_at, CAST(? AS DATETIME(6))),
                                               CAST(? AS DATETIME(6))))) AS SIGNED) -
               CAST(FLOOR(UNIX_TIMESTAMP(GREATEST(began_at, CAST(? AS DATETIME(6))))) AS SIGNED))
               AS seconds
    FROM machine_span
    WHERE TRUE
)sql";

constexpr auto by_kind = R"sql(
    GROUP BY owner, cluster_template, provider_type, provider, region, flavor, image
    ORDER BY owner, cluster_template, provider_type, provider, region, flavor, image
    LIMIT 1000000
)sql";

constexpr auto select_committed = R"sql(
    SELECT cluster.expires_at, COALESCE(cluster.provider_type, '') AS provider_type,
           COALESCE(cluster.provider_name, '') AS provider,
           cluster.region, node.flavor, node.image, COUNT(*) AS machines
    FROM cluster
    JOIN node ON node.cluster_id = cluster.id
    WHERE cluster.tenant_id = ? AND cluster.status <> 'terminated' AND
          NOT node.has_left
    GROUP BY cluster.expires_at, cluster.provider_type, provider, cluster.region, node.flavor,
             node.image
    ORDER BY cluster.expires_at
    LIMIT 1000000
)sql";

constexpr auto add_costs = R"sql(
    INSERT INTO machine_cost (tenant_id, owner, cluster_template, currency, micros,
                              unpriced_seconds)
    VALUES (?, ?, ?, ?, ?, ?)
    ON DUPLICATE KEY UPDATE micros = machine_cost.micros + VALUES(micros),
                            unpriced_seconds = machine_cost.unpriced_seconds +
                                               VALUES(unpriced_seconds)
)sql";

model::MachineKind kind_columns(Rows& row) {
    return {.provider_type = row.get<std::string>("provider_type"),
            .provider = row.get<std::string>("provider"),
            .region = row.get<std::string>("region"),
            .flavor = row.get<std::string>("flavor"),
            .image = row.get<std::string>("image")};
}

std::vector<CostedSpan> read_costed_spans(Connection& connection, const Restriction& restriction) {
    Statement select =
        connection.sql(select_costed_spans + restriction.conditions + " LIMIT 10000000");
    restriction.bind_to(select);
    Rows row = select.query();
    std::vector<CostedSpan> spans;
    while (row.next()) {
        spans.push_back({.span = {.created = time_column(row, "began_at"),
                                  .deleted = optional_time_column(row, "ended_at")},
                         .tenant = model::TenantId{row.get<long long>("tenant_id")},
                         .owner = row.get<std::string>("owner"),
                         .cluster_template = row.get<std::string>("cluster_template"),
                         .kind = kind_columns(row)});
    }
    return spans;
}

/// Whose totals a span belongs to: owner and template.
using Account = std::pair<std::string, std::string>;

std::map<Account, model::CostMeter> metered(const std::vector<const CostedSpan*>& spans,
                                            const model::Prices& prices) {
    std::map<model::MachineKind, model::Timeline> timelines;
    std::map<Account, model::CostMeter> meters;
    for (const CostedSpan* one : spans) {
        auto [timeline, is_new] = timelines.try_emplace(one->kind);
        if (is_new) timeline->second = prices.timeline_of(one->kind);
        // Only spans that are over are added up.
        meters[{one->owner, one->cluster_template}].add(timeline->second, one->span.created,
                                                        *one->span.deleted);
    }
    return meters;
}

void add_costs_of_tenant(Connection& connection, model::TenantId tenant,
                         const std::vector<const CostedSpan*>& spans) {
    std::set<model::MachineKind> kinds;
    base::Timestamp first = base::Timestamp::max();
    for (const CostedSpan* one : spans) {
        kinds.insert(one->kind);
        first = std::min(first, one->span.created);
    }
    const auto prices = prices_for(connection, tenant, kinds, first);
    for (const auto& [account, meter] : metered(spans, prices)) {
        const auto& [owner, cluster_template] = account;
        const model::MeteredCost cost = meter.total();
        const auto add = [&, &owner = owner, &name = cluster_template](
                             const std::string& currency, std::int64_t micros, std::int64_t rest) {
            connection.sql(add_costs)
                << tenant.value << owner << name << currency << micros << rest << exec;
        };
        for (const auto& [currency, micros] : cost.amounts.by_currency()) add(currency, micros, 0);
        if (cost.unpriced_seconds > 0) add("", 0, cost.unpriced_seconds);
    }
}

}  // namespace

std::vector<CostedSpan> costed_spans_after_totals(Connection& connection,
                                                  const UsageFilter& filter) {
    return read_costed_spans(connection, restriction_after_totals(filter));
}

std::vector<CostedSpan> costed_spans_between(Connection& connection, const UsageFilter& filter,
                                             base::Timestamp start, base::Timestamp end) {
    return read_costed_spans(connection, restriction_between(filter, start, end));
}

model::MeteredCost cost_totals(Connection& connection, const UsageFilter& filter) {
    model::MeteredCost cost;
    if (filter.cluster) return cost;
    const Restriction restriction = restriction_of(filter);
    Statement select = connection.sql(select_cost_totals + restriction.conditions +
                                      " GROUP BY currency ORDER BY currency LIMIT 100000");
    restriction.bind_to(select);
    Rows row = select.query();
    while (row.next()) {
        const auto currency = row.get<std::string>("currency");
        cost.unpriced_seconds += row.get<long long>("unpriced_seconds");
        if (!currency.empty()) {
            cost.amounts.add({.currency = currency, .micros = row.get<long long>("micros")});
        }
    }
    return cost;
}

std::vector<MachineSeconds> machine_seconds(Connection& connection, const UsageFilter& filter,
                                            base::Timestamp start, base::Timestamp end) {
    if (end <= start) return {};
    const Restriction restriction = restriction_between(filter, start, end);
    Statement select = connection.sql(select_seconds + restriction.conditions + by_kind);
    select << base::to_sql(end) << base::to_sql(end) << base::to_sql(start);
    restriction.bind_to(select);
    Rows row = select.query();
    std::vector<MachineSeconds> seconds;
    while (row.next()) {
        seconds.push_back({.owner = row.get<std::string>("owner"),
                           .cluster_template = row.get<std::string>("cluster_template"),
                           .kind = kind_columns(row),
                           .seconds = row.get<long long>("seconds")});
    }
    return seconds;
}

std::map<std::optional<base::Timestamp>, model::MachineCounts> committed_machines(
    Connection& connection, model::TenantId tenant) {
    std::map<std::optional<base::Timestamp>, model::MachineCounts> machines;
    Rows row = connection.sql(select_committed) << tenant.value;
    while (row.next()) {
        machines[optional_time_column(row, "expires_at")][kind_columns(row)] +=
            row.get<int>("machines");
    }
    return machines;
}

void add_up_costs(Connection& connection) {
    Restriction taken;
    taken.conditions = " AND added_up = 2";
    const auto spans = read_costed_spans(connection, taken);
    std::map<model::TenantId, std::vector<const CostedSpan*>> by_tenant;
    for (const CostedSpan& span : spans) by_tenant[span.tenant].push_back(&span);
    for (const auto& [tenant, of_tenant] : by_tenant) {
        add_costs_of_tenant(connection, tenant, of_tenant);
    }
}

}  // namespace provisioner::store
