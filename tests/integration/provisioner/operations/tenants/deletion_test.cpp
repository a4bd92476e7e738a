#include "provisioner/operations/tenants/tenants.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(tenant_deletion)

namespace {

struct Site {
    Site() {
        model::Tenant tenant = acme.tenant;
        tenant.workers = 3;
        fresh.database.write(
            [&](store::Connection& connection) { store::update_tenant(connection, tenant); });
    }

    std::optional<model::Tenant> stored() {
        return fresh.database.read(
            [](store::Connection& connection) { return store::find_tenant(connection, "acme"); });
    }

    std::size_t events(const std::string& action, model::TenantId chain = {}) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_events(connection, {.chain = chain, .action = action}, 0, 10).size();
        });
    }

    tests::FreshDatabase fresh;
    model::Caller acme = tests::a_caller(fresh.database, "acme");
    model::Caller superadmin =
        tests::a_caller(fresh.database, model::superadmin_tenant, model::Role::superadmin);
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_tenant_with_workers_stays_unless_they_are_taken_back_with_it) {
    Site site;

    const auto refused = operations::delete_tenant(site.fresh.database, site.superadmin, "acme");
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_REQUIRE(site.stored().has_value());
    BOOST_TEST(site.stored()->workers == 3);

    BOOST_REQUIRE(operations::delete_tenant(site.fresh.database, site.superadmin, "acme",
                                            operations::Workers::are_taken_back)
                      .has_value());
    BOOST_TEST(!site.stored().has_value());
    BOOST_TEST(site.events("tenant.replace") == 0U);
    // Also in the log of the tenant, for who reads only that.
    BOOST_TEST(site.events("tenant.delete") == 1U);
    BOOST_TEST(site.events("tenant.delete", site.acme.tenant.id) == 1U);
}

BOOST_AUTO_TEST_CASE(the_superadmins_tenant_stays_in_any_case) {
    Site site;

    const auto refused =
        operations::delete_tenant(site.fresh.database, site.superadmin, model::superadmin_tenant,
                                  operations::Workers::are_taken_back);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::forbidden));
}

BOOST_AUTO_TEST_SUITE_END()
