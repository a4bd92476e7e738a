#include "tests/integration/provisioner/operations/prices/priced_site.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include "provisioner/model/machines/price_list.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"

namespace tests {

using namespace provisioner;

void PricedSite::machines_since(base::Timestamp moment) {
    succeed_all();
    run("UPDATE machine_span SET began_at = '" + base::to_sql(moment) + "'");
    run("UPDATE cluster SET created_at = '" + base::to_sql(moment) + "'");
}

store::PriceChanges PricedSite::load(const std::string& csv, base::Timestamp at, bool for_all) {
    const auto prices =
        model::prices_from_csv("provider_type,flavor,currency,per_hour,region\n" + csv);
    BOOST_REQUIRE(prices.has_value());
    model::Caller writer = caller;
    if (for_all) writer.user.role = model::Role::superadmin;
    const auto owner =
        for_all ? operations::PriceListOwner::everybody : operations::PriceListOwner::tenant;
    const auto changes = operations::replace_price_list(fresh.database, writer, owner, *prices, at);
    BOOST_REQUIRE(changes.has_value());
    return *changes;
}

void PricedSite::save_budget(std::int64_t per_hour, std::int64_t per_month,
                             const std::string& currency) {
    model::Tenant tenant = caller.tenant;
    tenant.budget = model::Budget{.currency = currency};
    if (per_hour >= 0) tenant.budget->per_hour = per_hour;
    if (per_month >= 0) tenant.budget->per_month = per_month;
    save_quotas(fresh.database, tenant);
}

operations::Result<model::ClusterId> PricedSite::create(
    int machines, std::optional<std::chrono::milliseconds> lease) {
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = machines;
    wanted.lease = lease;
    return operations::create_cluster(fresh.database, caller, wanted, now);
}

void PricedSite::run(const std::string& statement) {
    const auto connection = queue::connect(fresh.root);
    queue::execute(*connection, statement);
}

std::string PricedSite::value(const std::string& select) {
    const auto connection = queue::connect(fresh.root);
    const auto row = queue::select(*connection, select);
    BOOST_REQUIRE(row->next());
    return std::string(row->getString(1));
}

}  // namespace tests
