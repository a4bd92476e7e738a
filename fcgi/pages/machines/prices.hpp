#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/last_change.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/machines/price_words.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/operations/prices/price_lists.hpp"

namespace fcgi::pages {

/// A price list on the page, as CSV in a form.
struct PriceListForm {
    provisioner::operations::PriceListOwner owner{};
    /// Name of the tenant whose list it is; empty for that of all.
    std::string tenant{};
    std::vector<provisioner::model::Price> prices{};
    /// The text as sent; nothing: that of `prices`.
    std::optional<std::string> text{};
    /// The fingerprint of the list that `text` was made from; empty: `prices`.
    std::string base{};
    /// What is wrong with it; each field is a line.
    provisioner::base::Problems problems{};
    /// Whether a preview of `text` was asked for.
    bool is_preview = false;
    /// What is done with one price, if `text` is the list with that alone.
    enum class Single { none, add, change, remove };
    Single single = Single::none;
    /// Whether the list was changed by somebody else after `text` was made from it.
    bool is_overtaken = false;
    /// Which page of the prices that fit the filter is shown, from 1.
    std::size_t page = 1;
    /// Who changed the list meanwhile, and when.
    std::optional<LastChange> last_change{};
    /// The form for one more price, as sent, and what is wrong with it.
    http::FormData added{};
    provisioner::base::Problems problems_added{};
};

/// What may be chosen for a price: (name, words).
using PriceChoices = std::vector<std::pair<std::string, std::string>>;

/// Which prices are shown; empty: all.
struct PriceFilter {
    std::string provider_type{};
    std::string provider{};
    /// Searched for in all that a price names.
    std::string text{};

    bool is_empty() const { return provider_type.empty() && provider.empty() && text.empty(); }
};

/// Price lists, the budget of the tenant, and what its machines cost in this month:
/// views/machines/prices.
struct PricesPage {
    /// A list that is longer cannot be changed on the page.
    static constexpr std::size_t most_prices = 1000;
    /// Prices of a list on one page.
    static constexpr std::size_t prices_shown = 50;
    /// From so many on, prices can be filtered.
    static constexpr std::size_t prices_without_filter = 10;

    /// The tenant whose prices, budget and costs these are.
    provisioner::model::Tenant tenant{};
    /// The address of the page: that of a tenant in the address is below the tenant's.
    std::string href = "/prices";
    /// The page of that tenant; empty for the viewer's own.
    std::string tenant_href{};
    PriceListForm own{};
    PriceListForm common{};
    PriceFilter filter{};
    PriceChoices provider_types{};
    /// Those of the tenant.
    PriceChoices providers{};
    TypesOfProviders types_of_providers{};
    /// Whether the viewer may change the list for all tenants.
    bool for_superadmin = false;
    /// False for auditors: no form.
    bool may_change = true;
    /// Nothing for a tenant without a budget.
    std::optional<provisioner::operations::BudgetState> budget{};
    /// Its currency, if no machine has a price in it.
    std::string unpriced_currency{};
    /// Else the hardware types without one (costs.hpp), in words.
    std::string unpriced_types{};
    /// What was spent since the beginning of the month.
    std::vector<provisioner::operations::CostShare> shares{};
    /// Of cluster templates.
    Labels labels{};
    provisioner::model::Month month{};
    provisioner::base::Timestamp now{};
    /// What was done just now; empty for nothing.
    std::string done{};
};

/// What forms and addresses call the two lists.
inline constexpr auto word_of_own_prices = "own";
inline constexpr auto word_of_common_prices = "common";

/// The file of a list, with LF at the ends of lines, and the line of a price in it.
std::string csv_of_prices(const std::vector<provisioner::model::Price>& prices);
std::string line_of_price(const provisioner::model::Price& price);

/// Tells whether a list is still the one that was previewed; their order does not matter.
std::string fingerprint_of_prices(const std::vector<provisioner::model::Price>& prices);

/// Previews in the form of a list what a draft wants. One price that it adds or removes is added
/// to, or removed from, the list as it is now, and overtaken if the line that it changes is gone. A
/// whole list is overtaken if somebody changed the one that it was made from.
void preview_draft(const http::FormData& draft, PriceListForm& list);

/// All members of the view.
provisioner::base::Json to_json(const PricesPage& page);

/// GET /prices, for admins, and GET /tenants/{tenant}/prices, for superadmins; `draft` names a new
/// list that is previewed, `edit` a price whose form is open ("own," or "common," and its line).
/// "type", "provider" and "q" filter both lists; "page" and "common" are the pages of that of the
/// tenant and of that for all.
http::Response show_prices(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST to the same: replaces the list that `list` names ("own" or "common") by the CSV in
/// `prices`. With `preview`, `add` (one more price, in place of the line `replaces` if that is
/// given) or `remove` (a line of the list) nothing is replaced: the answer leads to a preview of
/// the new list.
http::Response replace_prices(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
