#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/operations/prices/price_lists.hpp"

namespace fcgi::pages {

/// A price list on the page, as CSV in a form.
struct PriceListForm {
    provisioner::operations::PriceListOwner owner{};
    std::vector<provisioner::model::Price> prices{};
    /// The text as sent; nothing: that of `prices`.
    std::optional<std::string> text{};
    /// What is wrong with it; each field is a line.
    provisioner::base::Problems problems{};
};

/// Price lists, the budget of the tenant, and what its machines cost in this month:
/// views/machines/prices.
struct PricesPage {
    /// Prices that are shown at most; the others are in the API only. A list that is longer cannot
    /// be changed on the page.
    static constexpr std::size_t most_prices = 1000;

    PriceListForm own{};
    PriceListForm common{};
    /// Whether the viewer may change the list for all tenants.
    bool for_superadmin = false;
    /// False for auditors: no form.
    bool may_change = true;
    /// Nothing for a tenant without a budget.
    std::optional<provisioner::operations::BudgetState> budget{};
    /// What was spent since the beginning of the month.
    std::vector<provisioner::operations::CostShare> shares{};
    provisioner::model::Month month{};
    /// What was done just now; empty for nothing.
    std::string done{};
};

/// All members of the view.
provisioner::base::Json to_json(const PricesPage& page);

/// GET /prices, for admins.
http::Response show_prices(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /prices: replaces the list that `list` names ("own" or "common") by the CSV in `prices`.
http::Response replace_prices(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
