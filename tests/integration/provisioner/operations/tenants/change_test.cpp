#include <boost/test/unit_test.hpp>

#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

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

BOOST_AUTO_TEST_SUITE_END()
