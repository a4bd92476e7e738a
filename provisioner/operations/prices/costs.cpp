#include "provisioner/operations/prices/costs.hpp"

#include <set>

#include "provisioner/store/machines/price_store.hpp"

namespace provisioner::operations {

namespace {

using Account = std::pair<std::string, std::string>;

/// Adds up costs and times by owner and template.
class SharedCosts {
 public:
    void add(const store::MachineSeconds& machines, const model::Price* price) {
        Sum& sum = sums_[{machines.owner, machines.cluster_template}];
        sum.meter.add(price, machines.seconds);
        sum.seconds += machines.seconds;
    }

    std::vector<CostShare> shares() const {
        std::vector<CostShare> shares;
        for (const auto& [account, sum] : sums_) {
            shares.push_back({.owner = account.first,
                              .cluster_template = account.second,
                              .seconds = sum.seconds,
                              .cost = sum.meter.total()});
        }
        return shares;
    }

 private:
    struct Sum {
        model::CostMeter meter{};
        std::int64_t seconds = 0;
    };
    std::map<Account, Sum> sums_;
};

/// The moments between `from` and `to` at which a price of these kinds begins or ends.
std::set<base::Timestamp> changes_between(const std::set<model::MachineKind>& kinds,
                                          const model::Prices& prices, base::Timestamp from,
                                          base::Timestamp to) {
    std::set<base::Timestamp> moments;
    for (const model::MachineKind& kind : kinds) {
        for (const auto& [moment, price] : prices.timeline_of(kind)) {
            if (from < moment && moment < to) moments.insert(moment);
        }
    }
    return moments;
}

}  // namespace

model::MachineKind kind_of(const model::Cluster& cluster, const model::Node& node) {
    return {.provider_type = cluster.snapshot.provider.provider_type,
            .provider = cluster.snapshot.provider.header.name,
            .region = cluster.region,
            .flavor = node.flavor,
            .image = node.image};
}

model::MachineCounts count_by_kind(const model::Cluster& cluster,
                                   const std::vector<model::Node>& nodes) {
    model::MachineCounts machines;
    for (const model::Node& node : nodes) ++machines[kind_of(cluster, node)];
    return machines;
}

std::optional<model::HourlyCost> hourly_cost(store::Connection& connection, model::TenantId tenant,
                                             const model::MachineCounts& machines,
                                             base::Timestamp now) {
    if (!store::has_prices(connection, tenant)) return std::nullopt;
    const auto prices = store::prices_for(connection, tenant, machines, now);
    return model::hourly_cost(machines, prices, now);
}

std::vector<CostShare> cost_shares(store::Connection& connection, model::TenantId tenant,
                                   const store::UsageFilter& filter, base::Timestamp from,
                                   base::Timestamp to) {
    const auto whole = store::machine_seconds(connection, filter, from, to);
    std::set<model::MachineKind> kinds;
    for (const store::MachineSeconds& machines : whole) kinds.insert(machines.kind);
    const auto prices = store::prices_for(connection, tenant, kinds, from);
    auto ends = changes_between(kinds, prices, from, to);
    const bool is_one_part = ends.empty();
    ends.insert(to);
    SharedCosts costs;
    base::Timestamp begin = from;
    for (const base::Timestamp end : ends) {
        const auto part =
            is_one_part ? whole : store::machine_seconds(connection, filter, begin, end);
        for (const store::MachineSeconds& machines : part) {
            costs.add(machines, prices.find(machines.kind, begin));
        }
        begin = end;
    }
    return costs.shares();
}

model::MeteredCost sum_of(const std::vector<CostShare>& shares) {
    model::MeteredCost sum;
    for (const CostShare& share : shares) {
        sum.amounts.add(share.cost.amounts);
        sum.unpriced_seconds += share.cost.unpriced_seconds;
    }
    return sum;
}

std::optional<ClusterCost> cluster_cost(store::Connection& connection,
                                        const model::Cluster& cluster,
                                        const std::vector<model::Node>& nodes,
                                        base::Timestamp now) {
    const bool is_over = cluster.status == model::ClusterStatus::terminated;
    const auto machines = is_over ? model::MachineCounts{} : count_by_kind(cluster, nodes);
    auto hourly = hourly_cost(connection, cluster.tenant, machines, now);
    if (!hourly) return std::nullopt;
    const store::UsageFilter filter{.cluster = cluster.id};
    const auto shares = cost_shares(connection, cluster.tenant, filter, cluster.created_at,
                                    std::chrono::floor<std::chrono::minutes>(now));
    return ClusterCost{.hourly = *std::move(hourly), .so_far = sum_of(shares)};
}

}  // namespace provisioner::operations
