#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/machines/price.hpp"

namespace fcgi::pages {

/// "small (aws, eu-west-1)": the machines that a price is of.
std::string machines_of_price(const provisioner::model::Price& price);

/// What changes in a list of prices of which few change: "1 price more: small (aws), 0.10 USD per
/// hour." Pure.
std::string price_changes_in_words(const std::vector<provisioner::model::Price>& before,
                                   const std::vector<provisioner::model::Price>& after);

/// Providers by name, with their types.
using TypesOfProviders = std::map<std::string, std::string>;

/// Why no machine could ever have a price: its provider is of another type. Empty for others, and
/// for providers that are not known.
std::string problem_with_provider_of(const provisioner::model::Price& price,
                                     const TypesOfProviders& types);

/// The same of a whole list; fields are "line 2" for the first one, under the names of the columns.
provisioner::base::Problems problems_with_providers_of(
    const std::vector<provisioner::model::Price>& prices, const TypesOfProviders& types);

}  // namespace fcgi::pages
