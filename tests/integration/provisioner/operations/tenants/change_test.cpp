#include <boost/test/unit_test.hpp>

#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(tenant_changes)

BOOST_AUTO_TEST_CASE(who_saves_a_tenant_that_somebody_else_saved_meanwhile_is_refused) {
    tests::FreshDatabase fresh;
    const auto acme = tests::a_caller(fresh.database, "acme").tenant;
    const auto root =
        tests::a_caller(fresh.database, model::superadmin_tenant, model::Role::superadmin);
    const auto save = [&](const std::string& description, int clusters, const std::string& base) {
        operations::TenantSpec wanted;
        wanted.name = "acme";
        wanted.description = description;
        wanted.max_clusters = clusters;
        return operations::replace_tenant(fresh.database, root, "acme", wanted, tests::some_time(),
                                          base);
    };
    const auto stored = [&] {
        return fresh.database
            .read([](store::Connection& connection) {
                return store::find_tenant(connection, "acme");
            })
            .value();
    };
    const std::string base = operations::fingerprint_of(acme);

    BOOST_REQUIRE(save("coopers", 7, base).has_value());
    const auto refused = save("", 9, base);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(refused.error().problems.front().field == "base");
    BOOST_TEST(stored().description == "coopers");
    BOOST_TEST(stored().max_clusters == 7);
    BOOST_REQUIRE(save("coopers", 9, operations::fingerprint_of(stored())).has_value());
    BOOST_TEST(stored().max_clusters == 9);
}

BOOST_AUTO_TEST_CASE(a_change_of_quotas_is_in_the_log_of_the_tenant_and_of_the_installation) {
    tests::FreshDatabase fresh;
    const auto acme = tests::a_caller(fresh.database, "acme").tenant;
    const auto root =
        tests::a_caller(fresh.database, model::superadmin_tenant, model::Role::superadmin);
    operations::TenantSpec wanted;
    wanted.name = "acme";
    wanted.max_clusters = 4;

    BOOST_REQUIRE(
        operations::replace_tenant(fresh.database, root, "acme", wanted, tests::some_time())
            .has_value());

    for (const model::TenantId chain : {acme.id, model::TenantId{}}) {
        const auto events = fresh.database.read([&](store::Connection& connection) {
            return store::list_events(connection, {.chain = chain, .action = "tenant.replace"}, 0,
                                      10);
        });
        BOOST_REQUIRE(events.size() == 1U);
        BOOST_TEST(events.front().after.find("\"maxClusters\":4") != std::string::npos);
        BOOST_TEST(events.front().actor.tenant == model::superadmin_tenant);
    }
}

BOOST_AUTO_TEST_CASE(all_that_keeps_a_tenant_from_being_written_is_found_at_once) {
    tests::ClusterSite site(3);
    operations::TenantSpec wanted;
    wanted.name = "acme";
    wanted.workers = 1'000'000;
    wanted.max_clusters = 0;
    wanted.max_nodes = 2;
    const auto fields = [&](const std::optional<model::Tenant>& before) {
        return site.fresh.database.read([&](store::Connection& connection) {
            std::string found;
            for (const auto& problem :
                 operations::conflicts_of_tenant(connection, wanted, before, site.now)) {
                found += problem.field + ' ';
            }
            return found;
        });
    };

    BOOST_TEST(fields(site.caller.tenant) == "workers maxClusters maxNodes ");
    BOOST_TEST(fields(std::nullopt) == "name workers ");
    wanted.workers = 0;
    wanted.max_clusters = 1;
    wanted.max_nodes = 3;
    BOOST_TEST(fields(site.caller.tenant) == "");
}

BOOST_AUTO_TEST_SUITE_END()
