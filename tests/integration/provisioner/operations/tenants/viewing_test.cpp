#include "provisioner/operations/tenants/viewing.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
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

BOOST_AUTO_TEST_CASE(a_view_begins_and_ends_and_both_tenants_have_it_in_their_logs) {
    Site site;

    BOOST_REQUIRE(operations::begin_view(site.fresh.database, site.open(), "acme"));

    const auto viewing = site.open();
    BOOST_REQUIRE(viewing.viewed.has_value());
    BOOST_TEST(viewing.viewed->name == "acme");
    BOOST_TEST(viewing.caller.tenant.name == model::superadmin_tenant);
    operations::end_view(site.fresh.database, viewing, *viewing.viewed);
    BOOST_TEST(!site.open().viewed.has_value());
    for (const auto chain : {site.acme.tenant.id, site.superadmin.tenant.id}) {
        BOOST_TEST(site.events("tenant.view", chain) == 1);
        BOOST_TEST(site.events("tenant.leave", chain) == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_view_of_a_deleted_tenant_is_over) {
    Site site;
    BOOST_REQUIRE(operations::begin_view(site.fresh.database, site.open(), "acme"));

    BOOST_REQUIRE(operations::delete_tenant(site.fresh.database, site.superadmin, "acme"));

    BOOST_TEST(!site.open().viewed.has_value());
}

BOOST_AUTO_TEST_CASE(nobody_views_their_own_tenant_or_one_that_is_not_there_or_without_the_right) {
    Site site;
    const auto session = site.open();
    auto administrator = session;
    administrator.caller = site.acme;
    const auto kind_of = [&](const model::OpenSession& who, const std::string& tenant) {
        const auto result = operations::begin_view(site.fresh.database, who, tenant);
        BOOST_REQUIRE(!result);
        return result.error().kind;
    };
    using Kind = operations::Refusal::Kind;

    BOOST_TEST((kind_of(session, model::superadmin_tenant) == Kind::invalid));
    BOOST_TEST((kind_of(session, "nowhere") == Kind::not_found));
    BOOST_TEST((kind_of(administrator, "other") == Kind::forbidden));
}

BOOST_AUTO_TEST_SUITE_END()
