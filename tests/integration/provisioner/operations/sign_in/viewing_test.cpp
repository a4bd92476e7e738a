#include "provisioner/operations/sign_in/viewing.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/sign_in/view_store.hpp"
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

    model::audit::Event newest(model::TenantId chain) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_events(connection, {.chain = chain}, 0, 1).at(0);
        });
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
    const auto& acme = site.acme.tenant;

    BOOST_TEST(!operations::is_viewing(database, session, acme, "", site.now));
    operations::begin_view(database, session, acme, "/queues", site.now);
    operations::begin_view(database, session, acme, "/clusters?tenants=all", site.now + 1min);
    BOOST_TEST(operations::is_viewing(database, session, acme, "", site.now + 20min));
    BOOST_TEST(site.events("tenant.view", acme.id) == 1);
    BOOST_TEST(operations::end_view(database, session, acme) == "/clusters?tenants=all");
    BOOST_TEST(operations::end_view(database, session, acme) == "");
    for (const auto chain : {acme.id, site.superadmin.tenant.id}) {
        BOOST_TEST(site.events("tenant.view", chain) == 1);
        BOOST_TEST(site.events("tenant.leave", chain) == 1);
        const auto end = site.newest(chain);
        BOOST_TEST(end.after.find(base::to_sql(site.now)) != std::string::npos, end.after);
        BOOST_TEST(end.after.find(base::to_sql(site.now + 20min)) != std::string::npos, end.after);
        BOOST_TEST(end.reason == "The superadmin stopped it.");
    }

    // The next one is a view of its own.
    operations::begin_view(database, session, acme, "", site.now + 21min);
    BOOST_TEST(site.events("tenant.view", acme.id) == 2);
    BOOST_TEST(operations::end_view(database, session, acme) == "");
}

BOOST_AUTO_TEST_CASE(a_session_views_several_tenants_and_each_leads_back_where_it_began_last) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto other = tests::a_caller(database, "other").tenant;

    operations::begin_view(database, session, site.acme.tenant, "/queues", site.now);
    operations::begin_view(database, session, other, "/", site.now);
    operations::begin_view(database, session, site.acme.tenant, "/audit?scope=all", site.now);

    BOOST_TEST(site.events("tenant.view", site.acme.tenant.id) == 1);
    BOOST_TEST(site.events("tenant.view", other.id) == 1);
    // Also without another question.
    BOOST_TEST(operations::is_viewing(database, session, site.acme.tenant, "/machines", site.now));
    BOOST_TEST(operations::is_viewing(database, session, site.acme.tenant, "", site.now));
    BOOST_TEST(operations::end_view(database, session, site.acme.tenant) == "/machines");
    BOOST_TEST(operations::end_view(database, session, other) == "/");
}

BOOST_AUTO_TEST_CASE(a_page_after_a_pause_is_no_page_of_the_view_before) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    operations::begin_view(database, session, acme, "", site.now);
    // What nobody sees prolongs nothing.
    BOOST_TEST(operations::is_viewing(database, session, acme, std::nullopt, site.now + 20min));

    BOOST_TEST(!operations::is_viewing(database, session, acme, "", site.now + 31min));

    BOOST_TEST(site.events("tenant.leave", acme.id) == 1);
    BOOST_TEST(site.newest(acme.id).reason == "No page was looked at for 30 minutes.");
    BOOST_TEST(!operations::is_viewing(database, session, acme, "", site.now + 31min));
    BOOST_TEST(site.events("tenant.leave", acme.id) == 1);

    // A form that was open meanwhile begins one of its own.
    operations::begin_view(database, session, acme, "", site.now + 32min);
    operations::begin_view(database, session, acme, "", site.now + 70min);
    BOOST_TEST(site.events("tenant.view", acme.id) == 3);
    BOOST_TEST(site.events("tenant.leave", acme.id) == 2);
}

BOOST_AUTO_TEST_CASE(a_request_that_read_the_view_before_does_not_end_the_one_that_began_since) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    operations::begin_view(database, session, acme, "", site.now);
    const auto before = database.read([&](store::Connection& connection) {
        return store::find_view(connection, site.session, acme.id);
    });
    BOOST_REQUIRE(before.has_value());
    operations::begin_view(database, session, acme, "", site.now + 40min);

    BOOST_TEST(!database.write(
        [&](store::Connection& connection) { return store::delete_view(connection, *before); }));

    BOOST_TEST(operations::is_viewing(database, session, acme, "", site.now + 41min));
}

BOOST_AUTO_TEST_CASE(a_database_that_takes_no_changes_stops_no_page_that_only_reads) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    operations::begin_view(database, session, acme, "", site.now);
    const auto root = queue::connect(site.fresh.root);
    const std::unique_ptr<sql::Statement> statement(root->createStatement());

    statement->execute("SET GLOBAL read_only = ON");
    bool is_viewing = false;
    bool after_pause = true;
    BOOST_CHECK_NO_THROW(
        is_viewing = operations::is_viewing(database, session, acme, "/machines", site.now + 1min));
    BOOST_CHECK_NO_THROW(after_pause =
                             operations::is_viewing(database, session, acme, "", site.now + 31min));
    statement->execute("SET GLOBAL read_only = OFF");

    BOOST_TEST(is_viewing);
    BOOST_TEST(!after_pause);
    BOOST_TEST(site.events("tenant.leave", acme.id) == 0, "it is recorded later");
}

BOOST_AUTO_TEST_CASE(a_short_view_has_its_true_last_page_and_is_known_outside_of_it) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    BOOST_TEST(operations::running_views(database, session, site.now).empty());
    operations::begin_view(database, session, acme, "", site.now);
    BOOST_TEST(operations::is_viewing(database, session, acme, "", site.now + 7s));

    const auto running = operations::running_views(database, session, site.now + 8s);
    BOOST_REQUIRE(running.size() == 1U);
    BOOST_TEST(running[0].tenant == "acme");
    BOOST_TEST((running[0].began_at == site.now));
    BOOST_TEST(operations::running_views(database, session, site.now + 40min).empty());
    operations::end_view(database, session, acme);

    const auto end = site.newest(acme.id).after;
    BOOST_TEST(end.find(base::to_sql(site.now + 7s)) != std::string::npos, end);
}

BOOST_AUTO_TEST_CASE(a_view_ends_with_its_tenant) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    operations::begin_view(database, session, acme, "", site.now);

    BOOST_REQUIRE(operations::delete_tenant(database, site.superadmin, "acme",
                                            operations::Workers::are_taken_back));

    BOOST_TEST(site.events("tenant.leave", acme.id) == 1);
    BOOST_TEST(site.newest(acme.id).reason == "The tenant was deleted.");
    BOOST_TEST(operations::running_views(database, session, site.now).empty());
}

BOOST_AUTO_TEST_CASE(logging_out_ends_every_view) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto other = tests::a_caller(database, "other").tenant;
    operations::begin_view(database, session, site.acme.tenant, "", site.now);
    operations::begin_view(database, session, other, "", site.now);

    operations::end_views_at_log_out(database, session);

    for (const auto chain : {site.acme.tenant.id, other.id}) {
        BOOST_TEST(site.events("tenant.leave", chain) == 1);
        BOOST_TEST(site.newest(chain).reason == "The superadmin logged out.");
    }
}

BOOST_AUTO_TEST_CASE(views_of_pauses_and_of_sessions_that_are_over_are_ended_by_the_daemon) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    const auto end = [&](base::Timestamp now) {
        return operations::end_views_that_are_over(database, now, [] { return false; });
    };
    operations::begin_view(database, session, acme, "", site.now);

    BOOST_TEST(end(site.now + 29min) == 0);
    BOOST_TEST(end(site.now + 31min) == 1);
    BOOST_TEST(end(site.now + 31min) == 0);

    operations::begin_view(database, session, acme, "", site.now + 40min);
    database.write([&](store::Connection& connection) {
        store::end_sessions(connection, site.superadmin.user.id);
    });
    BOOST_TEST(end(site.now + 41min) == 1);
    BOOST_TEST(site.events("tenant.leave", acme.id) == 2);
    const auto event = site.newest(acme.id);
    BOOST_TEST(event.reason == "The session of the superadmin ended.");
    BOOST_TEST(event.actor.name == site.superadmin.user.name);
    BOOST_TEST(event.actor.tenant == model::superadmin_tenant);
    BOOST_TEST(event.actor.role == "superadmin");
}

BOOST_AUTO_TEST_CASE(a_view_ends_at_the_moment_at_which_its_session_is_ended) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    operations::begin_view(database, session, acme, "", site.now);

    BOOST_REQUIRE(operations::end_sessions(database, site.superadmin, "superadmin",
                                           site.superadmin.user.name, site.session));

    BOOST_TEST(site.events("tenant.leave", acme.id) == 1);
    BOOST_TEST(site.newest(acme.id).reason == "The session of the superadmin ended.");
}

BOOST_AUTO_TEST_CASE(a_view_that_the_daemon_ends_has_the_moment_at_which_it_was_over) {
    Site site;
    auto& database = site.fresh.database;
    const auto session = site.open();
    const auto& acme = site.acme.tenant;
    const auto end = [&](base::Timestamp now) {
        BOOST_TEST(operations::end_views_that_are_over(database, now, [] { return false; }) == 1);
        return base::text_at(base::parse_json(site.newest(acme.id).after).value(), "viewEnded");
    };
    operations::begin_view(database, session, acme, "", site.now);
    BOOST_TEST(end(site.now + 45min) == base::to_sql(site.now + 30min));

    const auto expires_at = session.session.expires_at;
    operations::begin_view(database, session, acme, "", expires_at - 5min);
    BOOST_TEST(end(expires_at + 1min) == base::to_sql(expires_at));
}

BOOST_AUTO_TEST_SUITE_END()
