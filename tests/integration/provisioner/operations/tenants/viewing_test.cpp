#include "provisioner/operations/tenants/viewing.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(viewing)

namespace {

const std::string token_hash(64, 'a');

struct Site {
    model::OpenSession open() {
        const auto found = operations::use_session(fresh.database, token_hash, {}, now);
        BOOST_REQUIRE(found.has_value());
        return *found;
    }

    int events(const std::string& action, model::TenantId chain) {
        const auto connection = queue::connect(fresh.config);
        const auto row = queue::select(
            *connection, "SELECT COUNT(*) AS events FROM audit_event WHERE action = '" + action +
                             "' AND tenant_id = " + std::to_string(chain.value));
        row->next();
        return row->getInt("events");
    }

    tests::FreshDatabase fresh;
    base::Timestamp now = tests::some_time();
    model::Caller acme = tests::a_caller(fresh.database, "acme");
    model::Caller superadmin =
        tests::a_caller(fresh.database, model::superadmin_tenant, model::Role::superadmin);
    model::SessionId session = fresh.database.write([&](store::Connection& connection) {
        return store::insert_session(
            connection, superadmin.user.id,
            {.created_at = now, .last_used_at = now, .proven_at = now, .expires_at = now + 24h},
            token_hash);
    });
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_view_begins_and_ends_once_and_both_tenants_have_it_in_their_logs) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();

    operations::note_view(database, session, site.acme.tenant, "/clusters?tenants=all");
    operations::note_view(database, session, site.acme.tenant, "");
    BOOST_TEST(site.events("tenant.view", site.acme.tenant.id) == 1);
    BOOST_TEST(operations::end_view(database, session, site.acme.tenant) ==
               "/clusters?tenants=all");
    BOOST_TEST(operations::end_view(database, session, site.acme.tenant) == "");
    for (const auto chain : {site.acme.tenant.id, site.superadmin.tenant.id}) {
        BOOST_TEST(site.events("tenant.view", chain) == 1);
        BOOST_TEST(site.events("tenant.leave", chain) == 1);
    }

    // The next one is a view of its own.
    operations::note_view(database, session, site.acme.tenant, "");
    BOOST_TEST(site.events("tenant.view", site.acme.tenant.id) == 2);
    BOOST_TEST(operations::end_view(database, session, site.acme.tenant) == "");
}

BOOST_AUTO_TEST_CASE(a_session_views_several_tenants_and_each_leads_back_where_it_began_last) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto other = tests::a_caller(database, "other").tenant;

    operations::note_view(database, session, site.acme.tenant, "/queues");
    operations::note_view(database, session, other, "/");
    operations::note_view(database, session, site.acme.tenant, "/audit?scope=all");

    BOOST_TEST(site.events("tenant.view", site.acme.tenant.id) == 1);
    BOOST_TEST(site.events("tenant.view", other.id) == 1);
    BOOST_TEST(operations::end_view(database, session, site.acme.tenant) == "/audit?scope=all");
    BOOST_TEST(operations::end_view(database, session, other) == "/");
}

BOOST_AUTO_TEST_SUITE_END()
