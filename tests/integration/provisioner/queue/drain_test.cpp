#include "provisioner/operations/daemons/drain.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(draining)

BOOST_AUTO_TEST_CASE(a_provisioner_that_drains_claims_nothing_and_others_go_on) {
    tests::ClusterSite site;
    site.queue.heartbeat({.instance = "a:/x.lock", .pid = 41, .capacity = 10, .running = 0});
    site.queue.heartbeat({.instance = "b:/x.lock", .pid = 42, .capacity = 10, .running = 0});

    BOOST_REQUIRE(operations::drain_daemon(
        site.fresh.database, site.caller,
        {.instance = "a:/x.lock", .drains = true, .may_be_last = true}, base::SystemClock().now()));

    BOOST_TEST(site.queue.claim("a:/x.lock/41-beef", 1, 60s).empty());
    BOOST_TEST(!site.queue.next_due().has_value());
    BOOST_TEST(site.queue.claim("b:/x.lock/42-cafe", 1, 60s).size() == 1U);
    BOOST_TEST(site.queue.next_due().has_value());
}

BOOST_AUTO_TEST_CASE(the_flag_outlives_heartbeats_and_a_restart_until_somebody_resumes) {
    tests::ClusterSite site;
    site.queue.heartbeat({.instance = "a:/x.lock", .pid = 41, .capacity = 10, .running = 0});
    BOOST_REQUIRE(operations::drain_daemon(
        site.fresh.database, site.caller,
        {.instance = "a:/x.lock", .drains = true, .may_be_last = true}, base::SystemClock().now()));

    site.queue.heartbeat({.instance = "a:/x.lock", .pid = 99, .capacity = 10, .running = 0});
    BOOST_TEST(site.queue.claim("a:/x.lock/99-beef", 1, 60s).empty());
    const auto daemons = site.fresh.database.read(
        [](store::Connection& connection) { return store::list_daemons(connection); });
    BOOST_REQUIRE(daemons.size() == 1U);
    BOOST_TEST(daemons[0].drains);

    BOOST_REQUIRE(
        operations::drain_daemon(site.fresh.database, site.caller,
                                 {.instance = "a:/x.lock", .drains = false, .may_be_last = true},
                                 base::SystemClock().now()));
    BOOST_TEST(site.queue.claim("a:/x.lock/99-beef", 1, 60s).size() == 1U);
}

BOOST_AUTO_TEST_CASE(heartbeats_are_taken_before_the_schema_has_versions) {
    tests::ClusterSite site;
    const auto connection = queue::connect(site.fresh.root);
    queue::execute(*connection, "ALTER TABLE daemon DROP COLUMN version");
    const queue::Heartbeat heartbeat{
        .instance = "a:/x.lock", .pid = 41, .capacity = 10, .running = 0, .version = "0.2.0"};

    site.queue.heartbeat(heartbeat);
    queue::execute(*connection,
                   "ALTER TABLE daemon ADD COLUMN version VARCHAR(64) NOT NULL DEFAULT ''");
    site.queue.heartbeat(heartbeat);

    const auto daemons = site.fresh.database.read(
        [](store::Connection& database) { return store::list_daemons(database); });
    BOOST_REQUIRE(daemons.size() == 1U);
    BOOST_TEST(daemons[0].version == "0.2.0");
}

BOOST_AUTO_TEST_CASE(what_was_claimed_before_is_finished) {
    tests::ClusterSite site;
    site.queue.heartbeat({.instance = "a:/x.lock", .pid = 41, .capacity = 10, .running = 0});
    const auto claims = site.queue.claim("a:/x.lock/41-beef", 1, 60s);
    BOOST_REQUIRE(claims.size() == 1U);

    BOOST_REQUIRE(operations::drain_daemon(
        site.fresh.database, site.caller,
        {.instance = "a:/x.lock", .drains = true, .may_be_last = true}, base::SystemClock().now()));

    BOOST_TEST(site.queue.renew(claims, 60s).size() == 1U);
    site.finish(claims.front(), queue::Succeeded{});
    BOOST_TEST(std::ranges::count(site.tasks(), model::TaskState::done, &model::Task::state) == 1);
}

BOOST_AUTO_TEST_CASE(the_last_one_that_takes_tasks_is_drained_only_if_that_is_meant) {
    tests::ClusterSite site;
    const auto drain = [&](const char* instance) {
        return operations::drain_daemon(site.fresh.database, site.caller, {.instance = instance},
                                        base::SystemClock().now());
    };
    site.queue.heartbeat({.instance = "a:/x.lock", .pid = 41, .capacity = 10, .running = 0});
    site.queue.heartbeat({.instance = "b:/x.lock", .pid = 42, .capacity = 10, .running = 0});

    BOOST_TEST(drain("a:/x.lock").has_value());
    const auto refused = drain("b:/x.lock");

    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(site.queue.claim("b:/x.lock/42-cafe", 1, 60s).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_provisioner_nobody_heard_of_cannot_be_drained) {
    tests::ClusterSite site;

    const auto result =
        operations::drain_daemon(site.fresh.database, site.caller,
                                 {.instance = "no:/such.lock", .drains = true, .may_be_last = true},
                                 base::SystemClock().now());

    BOOST_REQUIRE(!result);
    BOOST_TEST((result.error().kind == operations::Refusal::Kind::not_found));
}

BOOST_AUTO_TEST_SUITE_END()
