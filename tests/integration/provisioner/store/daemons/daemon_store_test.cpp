#include "provisioner/store/daemons/daemon_store.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(daemon_store)

BOOST_AUTO_TEST_CASE(daemons_are_listed_with_the_tasks_they_have_claimed) {
    tests::ClusterSite site;
    site.queue.heartbeat(
        {.instance = "a:/run/x.lock", .pid = 41, .capacity = 10, .running = 2, .version = "0.1.9"});
    site.queue.heartbeat(
        {.instance = "a:/run/x.lock", .pid = 41, .capacity = 10, .running = 2, .version = "0.2.0"});
    site.queue.heartbeat({.instance = "b:/run/x.lock", .pid = 42, .capacity = 20, .running = 0});
    const auto claims = site.queue.claim("a:/run/x.lock/41-beef", 2, 60s);
    BOOST_REQUIRE(claims.size() == 2);

    const auto daemons = site.fresh.database.read(
        [](store::Connection& connection) { return store::list_daemons(connection); });

    BOOST_REQUIRE(daemons.size() == 2U);
    BOOST_TEST(daemons[0].instance == "a:/run/x.lock");
    BOOST_TEST(daemons[0].pid == 41);
    BOOST_TEST(daemons[0].capacity == 10);
    BOOST_TEST(daemons[0].version == "0.2.0");
    BOOST_TEST(daemons[1].version == "");
    BOOST_REQUIRE(daemons[0].running.size() == 2U);
    const auto& task = daemons[0].running.front();
    BOOST_TEST((task.cluster == site.cluster));
    BOOST_TEST(task.tenant == "acme");
    BOOST_TEST(task.cluster_name == "c1");
    BOOST_TEST((task.action == model::Action::create));
    BOOST_TEST(task.attempt == 1);
    BOOST_TEST(task.hostname.starts_with("c1"));
    BOOST_TEST(daemons[0].is_alive(daemons[0].heartbeat_at + 15s));
    BOOST_TEST(!daemons[0].is_alive(daemons[0].heartbeat_at + 16s));
    BOOST_TEST(daemons[1].running.empty());
}

BOOST_AUTO_TEST_CASE(a_daemon_is_there_as_long_as_its_row) {
    tests::ClusterSite site;
    site.queue.heartbeat({.instance = "a:/run/x.lock", .pid = 41, .capacity = 10, .running = 2});

    site.fresh.database.read([](store::Connection& connection) {
        BOOST_TEST(store::has_daemon(connection, "a:/run/x.lock"));
        BOOST_TEST(!store::has_daemon(connection, "a:/run/y.lock"));
    });
}

BOOST_AUTO_TEST_SUITE_END()
