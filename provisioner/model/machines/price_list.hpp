#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/machines/price.hpp"

namespace provisioner::model {

// Price lists as administrators write them, as CSV or as JSON. Every problem names its line (CSV)
// or its entry (JSON, from 1) as the field. Prices that are read have neither owner nor time.

/// The largest number of prices in a list.
constexpr std::size_t most_prices = 50'000;

/// The problems that a refused list shows at most; a last one says how many more there are.
constexpr std::size_t most_price_problems = 200;

/// Reads comma separated values (RFC 4180). The first line names the columns, in any order:
/// provider_type, flavor, currency and per_hour are required, provider, region and image are not.
/// Empty lines and lines that begin with # are skipped.
///
///     provider_type,region,flavor,currency,per_hour
///     aws,eu-west-1,m5.large,USD,0.107
base::Checked<std::vector<Price>> prices_from_csv(std::string_view text);

/// Reads an array of prices, or {"prices": [...]}. `perHour` is a decimal number, as a text or as a
/// number.
///
///     [{"providerType": "aws", "provider": "", "region": "eu-west-1", "flavor": "m5.large",
///       "image": "", "currency": "USD", "perHour": "0.107"}]
base::Checked<std::vector<Price>> prices_from_json(const base::Json& json);

/// The form that prices_from_csv reads, with all columns.
std::string to_csv(const std::vector<Price>& prices);

/// The form that prices_from_json reads, with `validFrom` in milliseconds since 1970.
base::Json to_json(const std::vector<Price>& prices);

}  // namespace provisioner::model
