#include "provisioner/operations/tenants/usage_costs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "provisioner/model/csv.hpp"
#include "provisioner/store/machines/price_store.hpp"
#include "provisioner/store/tenants/cost_store.hpp"

namespace provisioner::operations {

namespace {

using store::CostedSpan;

base::Timestamp moment_at(std::int64_t seconds) {
    return base::Timestamp{std::chrono::seconds{seconds}};
}

/// The prices of every tenant and kind among some spans.
class Timelines {
 public:
    Timelines(store::Connection& connection, const std::vector<CostedSpan>& spans) {
        std::map<model::TenantId, std::set<model::MachineKind>> kinds;
        base::Timestamp first = base::Timestamp::max();
        for (const CostedSpan& one : spans) {
            kinds[one.tenant].insert(one.kind);
            first = std::min(first, one.span.created);
        }
        for (const auto& [tenant, of_tenant] : kinds) {
            const auto& prices = prices_[tenant] =
                store::prices_for(connection, tenant, of_tenant, first);
            for (const model::MachineKind& kind : of_tenant) {
                timelines_[{tenant, kind}] = prices.timeline_of(kind);
            }
        }
    }

    const model::Timeline& of(const CostedSpan& span) const {
        return timelines_.at({span.tenant, span.kind});
    }

 private:
    /// The timelines point into them.
    std::map<model::TenantId, model::Prices> prices_;
    std::map<std::pair<model::TenantId, model::MachineKind>, model::Timeline> timelines_;
};

/// Adds the span to the meters of the entries during which the machine was there.
void add_span(const CostedSpan& one, const model::Timeline& timeline, const NodeUsage& usage,
              base::Timestamp now, std::vector<model::CostMeter>& meters) {
    const base::Timestamp from = std::max(one.span.created, moment_at(usage.start));
    const base::Timestamp to = std::min(one.span.deleted.value_or(now), moment_at(usage.end));
    const auto after = std::upper_bound(usage.entries.begin(), usage.entries.end(), from,
                                        [](base::Timestamp moment, const UsageEntry& entry) {
                                            return moment < moment_at(entry.time);
                                        });
    auto at = static_cast<std::size_t>(after - usage.entries.begin());
    if (at > 0) --at;
    for (; at < usage.entries.size(); ++at) {
        const base::Timestamp begin = std::max(from, moment_at(usage.entries[at].time));
        const bool is_last = at + 1 == usage.entries.size();
        const base::Timestamp end =
            is_last ? to : std::min(to, moment_at(usage.entries[at + 1].time));
        if (begin >= end) break;
        meters[at].add(timeline, begin, end);
    }
}

std::vector<model::MeteredCost> costs_of(store::Connection& connection,
                                         const std::vector<CostedSpan>& spans,
                                         const NodeUsage& usage, base::Timestamp now) {
    const Timelines timelines(connection, spans);
    std::vector<model::CostMeter> meters(usage.entries.size());
    for (const CostedSpan& one : spans) add_span(one, timelines.of(one), usage, now, meters);
    std::vector<model::MeteredCost> costs;
    for (const model::CostMeter& meter : meters) costs.push_back(meter.total());
    return costs;
}

}  // namespace

std::optional<CostedUsage> read_costed_usage(store::Database& database,
                                             const store::UsageFilter& filter,
                                             const UsageQuestion& question, base::Timestamp now) {
    return database.read([&](store::Connection& connection) -> std::optional<CostedUsage> {
        auto usage = read_node_usage(connection, filter, question, now);
        if (!usage) return std::nullopt;
        CostedUsage costed{.usage = *std::move(usage)};
        const bool by_totals =
            totals_answer(store::usage_totals(connection, filter), question, costed.usage);
        const auto spans = by_totals ? store::costed_spans_after_totals(connection, filter)
                                     : store::costed_spans_between(connection, filter,
                                                                   moment_at(costed.usage.start),
                                                                   moment_at(costed.usage.end));
        costed.costs = costs_of(connection, spans, costed.usage, now);
        if (!by_totals) return costed;
        const auto totals = store::cost_totals(connection, filter);
        costed.costs.front().amounts.add(totals.amounts);
        costed.costs.front().unpriced_seconds += totals.unpriced_seconds;
        return costed;
    });
}

std::string to_csv(const CostedUsage& usage) {
    std::set<std::string> currencies;
    for (const model::MeteredCost& cost : usage.costs) {
        for (const auto& [currency, micros] : cost.amounts.by_currency()) {
            currencies.insert(currency);
        }
    }
    std::vector<std::string> header{"time", "value"};
    header.insert(header.end(), currencies.begin(), currencies.end());
    header.emplace_back("unpriced_seconds");
    std::string text = model::csv_row(header);
    for (std::size_t i = 0; i < usage.costs.size(); ++i) {
        const UsageEntry& entry = usage.usage.entries[i];
        std::vector<std::string> row{std::to_string(entry.time), std::to_string(entry.value)};
        for (const std::string& currency : currencies) {
            row.push_back(model::decimal_text(usage.costs[i].amounts.of(currency)));
        }
        row.push_back(std::to_string(usage.costs[i].unpriced_seconds));
        text += model::csv_row(row);
    }
    return text;
}

}  // namespace provisioner::operations
