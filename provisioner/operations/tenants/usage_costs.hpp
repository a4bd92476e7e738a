#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/machines/price.hpp"
#include "provisioner/operations/tenants/usage.hpp"

namespace provisioner::operations {

/// A report of usage and what it cost.
struct CostedUsage {
    NodeUsage usage{};
    /// One for each entry of the report. By the prices of the time, so a price list that was loaded
    /// later changes nothing.
    std::vector<model::MeteredCost> costs{};
};

/// The report of read_node_usage with its costs. Reads every span of the time, and the totals where
/// the report may use them. Nothing in the same cases as read_node_usage.
std::optional<CostedUsage> read_costed_usage(store::Database& database,
                                             const store::UsageFilter& filter,
                                             const UsageQuestion& question, base::Timestamp now);

/// The report as comma separated values: time, value, a column for each currency, and
/// unpriced_seconds.
std::string to_csv(const CostedUsage& usage);

}  // namespace provisioner::operations
