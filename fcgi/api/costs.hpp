#pragma once

#include "fcgi/http/message.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/budget.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/costs.hpp"

namespace fcgi::api {

// Costs are outside the wire contract. Amounts are decimal numbers as texts, because they are
// exact. Members about costs are missing where no price list is in force.

/// [{currency, amount}], by currency.
provisioner::base::Json amounts_json(const provisioner::model::Amounts& amounts);

/// {perHour, unpriced}. `unpriced` are machines whose cost is not known: [{providerType, provider,
/// region, flavor, image, machines, message}].
provisioner::base::Json to_json(const provisioner::model::HourlyCost& cost);

/// The same with {soFar, unpricedSeconds}.
provisioner::base::Json to_json(const provisioner::operations::ClusterCost& cost);

/// {currency, perHour, perMonth}; null for a limit that is not set.
provisioner::base::Json to_json(const provisioner::model::Budget& budget);

/// The budget with its use in its currency: {currency, perHour, perMonth, month, usedPerHour,
/// spent, committed, warnings}.
provisioner::base::Json to_json(const provisioner::operations::BudgetState& state);

/// 200 with comma separated values. A browser stores them as a file of that name.
http::Response csv(std::string body, const std::string& file_name);

}  // namespace fcgi::api
