#include "provisioner/operations/tenants/end_clusters.hpp"
#include "provisioner/operations/tenants/tenants.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/integration/provisioner/site.hpp"

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

BOOST_AUTO_TEST_CASE(a_superadmin_deletes_the_clusters_of_a_tenant_and_its_log_says_who) {
    tests::ClusterSite site;
    site.succeed_all();
    auto& database = site.fresh.database;
    const auto root = tests::a_caller(database, model::superadmin_tenant, model::Role::superadmin);
    const auto other = tests::a_caller(database, "other").tenant;
    const auto ended = [&](const model::Caller& caller, const model::Tenant& tenant) {
        return operations::delete_clusters_of(database, caller, tenant, {site.cluster}, site.now);
    };

    BOOST_REQUIRE(!ended(site.caller, site.caller.tenant).has_value());
    const auto of_other = ended(root, other);
    BOOST_REQUIRE(of_other.has_value());
    BOOST_TEST(of_other->problems.size() == 1U, "clusters of other tenants stay");
    const auto done = ended(root, site.caller.tenant);
    BOOST_REQUIRE(done.has_value());
    BOOST_TEST(done->begun == 1);

    site.succeed_all();
    BOOST_TEST((site.summary().status == model::ClusterStatus::terminated));
    const auto events = database.read([&](store::Connection& connection) {
        return store::list_events(
            connection, {.chain = site.caller.tenant.id, .action = "cluster.delete"}, 0, 10);
    });
    BOOST_REQUIRE(!events.empty());
    BOOST_TEST(events.back().actor.name == root.user.name);
    BOOST_TEST(events.back().actor.tenant == model::superadmin_tenant);
    BOOST_TEST(events.back().actor.role == "superadmin");
}

BOOST_AUTO_TEST_CASE(a_job_under_way_is_aborted_before_its_cluster_is_deleted) {
    tests::ClusterSite site;
    auto& database = site.fresh.database;
    const auto root = tests::a_caller(database, model::superadmin_tenant, model::Role::superadmin);
    const auto claims = site.claim();
    BOOST_REQUIRE(!claims.empty());

    const auto ended = operations::delete_clusters_of(database, root, site.caller.tenant,
                                                      {site.cluster}, site.now);

    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(ended->begun == 0);
    BOOST_TEST(ended->problems.empty());
    BOOST_TEST(ended->aborted.size() == 1U);
    BOOST_TEST(site.summary().latest_job.value().aborted);
}

BOOST_AUTO_TEST_SUITE_END()
