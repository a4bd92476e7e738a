#include "provisioner/operations/prices/budgets.hpp"

#include <algorithm>

#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/store/machines/price_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

model::BudgetUse budget_use(store::Connection& connection, model::TenantId tenant,
                            base::Timestamp now) {
    model::BudgetUse use{.month = model::month_of(now)};
    use.spent = sum_of(cost_shares(connection, tenant, {.tenant = tenant}, use.month.begin, now));
    const auto committed = store::committed_machines(connection, tenant);
    model::MachineCounts all;
    for (const auto& [until, machines] : committed) {
        for (const auto& [kind, count] : machines) all[kind] += count;
    }
    const auto prices = store::prices_for(connection, tenant, all, now);
    for (const auto& [until, machines] : committed) {
        use.machines.add(model::hourly_cost(machines, prices, now), until, now);
    }
    return use;
}

model::HourlyCost present_cost(store::Connection& connection, model::TenantId tenant,
                               const model::MachineCounts& machines, base::Timestamp now) {
    const auto prices = store::prices_for(connection, tenant, machines, now);
    return model::hourly_cost(machines, prices, now);
}

/// All sentences as one message: callers of the API see the first problem only.
base::unexpected<Refusal> refuse_over_budget(const std::string& field,
                                             const std::vector<std::string>& sentences) {
    std::string message;
    for (const std::string& sentence : sentences)
        message += (message.empty() ? "" : " ") + sentence;
    return refuse(Refusal::Kind::conflict, field, std::move(message));
}

}  // namespace

std::optional<model::Budget> present_budget(store::Connection& connection,
                                            const model::Tenant& tenant) {
    const auto now = store::find_tenant(connection, tenant.name);
    if (!now || now->id != tenant.id) return std::nullopt;
    return now->budget;
}

Result<std::vector<std::string>> check_budget(store::Connection& connection,
                                              const model::Tenant& tenant, const MoreMachines& more,
                                              base::Timestamp now) {
    const auto budget = present_budget(connection, tenant);
    if (!budget || more.machines.empty()) return std::vector<std::string>{};
    const auto use = budget_use(connection, tenant.id, now);
    model::BudgetLoad load;
    load.add(present_cost(connection, tenant.id, more.machines, now), more.until, now);
    const auto problems = model::over_budget(*budget, use, load);
    if (!problems.empty()) return refuse_over_budget(more.field, problems);
    return model::budget_warnings(*budget, use, load);
}

Result<void> check_budget_of_lease(store::Connection& connection, const model::Tenant& tenant,
                                   const model::MachineCounts& machines,
                                   std::optional<base::Timestamp> before,
                                   std::optional<base::Timestamp> until, base::Timestamp now) {
    const auto budget = present_budget(connection, tenant);
    if (!budget || !budget->per_month) return {};
    const auto cost = present_cost(connection, tenant.id, machines, now);
    // Their cost per hour is the same. Only the time between the two ends is new.
    const base::Timestamp month_end = model::month_of(now).end;
    const base::Timestamp old_end = std::max(before.value_or(month_end), now);
    if (old_end >= month_end) return {};
    model::BudgetLoad longer;
    longer.add({.per_hour = cost.per_hour}, until, old_end);
    const model::BudgetLoad load{.committed = longer.committed};
    const auto problems = model::over_budget(*budget, budget_use(connection, tenant.id, now), load);
    if (problems.empty()) return {};
    return refuse_over_budget("expireTime", problems);
}

std::optional<BudgetState> budget_state(store::Connection& connection, const model::Tenant& tenant,
                                        base::Timestamp now) {
    const auto budget = present_budget(connection, tenant);
    if (!budget) return std::nullopt;
    BudgetState state{.budget = *budget, .use = budget_use(connection, tenant.id, now)};
    state.warnings = model::budget_warnings(state.budget, state.use, {});
    return state;
}

std::string unpriced_currency(store::Connection& connection, const model::Tenant& tenant) {
    const auto budget = present_budget(connection, tenant);
    if (!budget) return "";
    for (const model::TenantId owner : {tenant.id, model::TenantId{}}) {
        const auto prices = store::list_prices(connection, owner);
        const bool has_one = std::ranges::any_of(prices, [&](const model::Price& price) {
            return price.per_hour.currency == budget->currency;
        });
        if (has_one) return "";
    }
    return budget->currency;
}

}  // namespace provisioner::operations
