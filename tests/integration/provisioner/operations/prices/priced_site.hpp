#pragma once

#include <string>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/prices/price_lists.hpp"
#include "tests/integration/provisioner/site.hpp"

namespace tests {

/// A site with a cluster of three machines of flavor "s" of provider "cloud", whose prices and
/// times a test can set.
struct PricedSite : ClusterSite {
    /// Lets all jobs succeed. The machines, and their clusters, have been there since `moment`.
    void machines_since(provisioner::base::Timestamp moment);

    /// Makes the lines of `csv` the list of the tenant, or of all tenants, from `at` on. The
    /// columns are provider_type, flavor, currency, per_hour and region.
    provisioner::store::PriceChanges load(const std::string& csv, provisioner::base::Timestamp at,
                                          bool for_all = false);

    /// Sets the tenant's budget, in micros; -1: no limit.
    void save_budget(std::int64_t per_hour, std::int64_t per_month,
                     const std::string& currency = "USD");

    /// Another cluster of template "pair".
    provisioner::operations::Result<provisioner::model::ClusterId> create(
        int machines, std::optional<std::chrono::milliseconds> lease = std::nullopt);

    void run(const std::string& statement);
    /// The first column of the first row.
    std::string value(const std::string& select);
};

}  // namespace tests
