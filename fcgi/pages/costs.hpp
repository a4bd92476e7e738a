#pragma once

#include <optional>
#include <string>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/machines/price.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/unpriced.hpp"

namespace fcgi::pages {

// Costs as people read them. What has no price is said, never counted as nothing.

/// "0.30 USD per hour", "at least 0.30 USD per hour; 2 machines have no price", or "not known".
/// "0.00 USD" is only said of machines whose price is nothing. "nothing" without machines. `more`
/// is said behind the cost: ", instead of 0.20 USD per hour".
std::string cost_words(const provisioner::model::HourlyCost& cost, const std::string& more = "");

/// The same without the number of the machines without a price.
std::string known_cost_words(const provisioner::model::HourlyCost& cost);

/// The same of a time that is over: "2.40 USD", "2.40 USD and 3 hours without a price".
std::string cost_words(const provisioner::model::MeteredCost& cost);

/// The data of views/partials/_costs: {has_costs, cost_words, cost_notes, has_cost_notes}. `more`
/// is said behind the cost. Without costs nothing is shown but warnings.
provisioner::base::Json costs_json(const std::optional<provisioner::model::HourlyCost>& cost,
                                   const std::string& more,
                                   const std::vector<std::string>& warnings);

/// For each limit of a budget {what, words, max, used, look}, as a progress bar shows it: views/
/// partials/_budget_limits.
provisioner::base::Json budget_limits_json(const provisioner::operations::BudgetState& state);

/// That a tenant with a budget cannot create clusters, because no machine has a price in the
/// budget's currency (operations::unpriced_currency); empty for an empty one.
std::string unpriced_words(const std::string& currency);

/// The same of some hardware types, in the words of lists of choices; empty if all have prices.
std::string unpriced_words(const std::vector<provisioner::operations::TypeAtProvider>& types,
                           const Labels& labels);

/// Those of a tenant with a budget. Reads its catalogue.
std::string read_unpriced_types(provisioner::store::Connection& connection,
                                const provisioner::model::Tenant& tenant,
                                provisioner::base::Timestamp now);

/// The same of one cluster, if it was refused because its machines have no price; empty otherwise.
std::string unpriced_words(const provisioner::base::Problems& problems);

}  // namespace fcgi::pages
