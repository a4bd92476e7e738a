#include "provisioner/store/monitoring/monitoring_store.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/version.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(monitoring_store)

namespace {

store::WatchedNumbers numbers_of(tests::ClusterSite& site) {
    return site.fresh.database.read(store::watched_numbers);
}

void change(tests::ClusterSite& site, const std::string& statement) {
    site.fresh.database.write(
        [&](store::Connection& connection) { connection.sql(statement) << store::exec; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_queue_is_counted_by_what_its_tasks_wait_for) {
    tests::ClusterSite site;
    const auto all = static_cast<std::int64_t>(site.tasks().size());
    change(site, "UPDATE ready_task SET run_at = UTC_TIMESTAMP(6) - INTERVAL 90 SECOND");
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1U);

    const auto numbers = numbers_of(site);

    BOOST_TEST(numbers.tasks_unfinished == all);
    BOOST_TEST(numbers.tasks_claimed == 1);
    BOOST_TEST(numbers.tasks_due == 2);
    BOOST_TEST(numbers.tasks_later == 0);
    BOOST_TEST((numbers.oldest_due_seconds >= 90 && numbers.oldest_due_seconds < 150));
    BOOST_TEST(numbers.jobs.at("running") == 1);
    BOOST_TEST(numbers.clusters.at("pending") == 1);
    BOOST_TEST(numbers.nodes == 3);

    site.finish(claims[0], queue::Waiting{.poll_in = 1h, .reason = ""});

    const auto later = numbers_of(site);
    BOOST_TEST(later.tasks_later == 1);
    BOOST_TEST(later.tasks_claimed == 0);
    BOOST_TEST(later.tasks_due == 2);
}

BOOST_AUTO_TEST_CASE(a_job_that_ended_is_no_longer_under_way_but_recent_for_an_hour) {
    tests::ClusterSite site;
    site.succeed_all();

    const auto numbers = numbers_of(site);
    BOOST_TEST(numbers.jobs.empty());
    BOOST_TEST(numbers.tasks_unfinished == 0);
    BOOST_TEST(numbers.oldest_due_seconds == 0);
    BOOST_TEST(numbers.jobs_ended.at("complete") == 1);
    BOOST_TEST(numbers.clusters.at("active") == 1);

    change(site, "UPDATE job SET finished_at = UTC_TIMESTAMP(6) - INTERVAL 2 HOUR");
    const auto later = numbers_of(site);
    BOOST_TEST(later.jobs_ended.empty());
    BOOST_TEST((later.oldest_kept.at("output") >= 7200 && later.oldest_kept.at("output") < 7260));
    BOOST_TEST(!later.oldest_kept.contains("clusters"));
}

BOOST_AUTO_TEST_CASE(a_daemon_is_read_with_what_it_counts) {
    tests::ClusterSite site;
    site.queue.heartbeat(
        {.instance = "a:/x", .pid = 1, .capacity = 10, .running = 2, .metrics = "[1]"});
    site.queue.heartbeat({.instance = "b:/x", .pid = 2, .capacity = 20, .running = 0});
    site.queue.heartbeat(
        {.instance = "a:/x", .pid = 1, .capacity = 10, .running = 3, .metrics = "[2]"});
    change(site,
           "UPDATE daemon SET heartbeat_at = UTC_TIMESTAMP(6) - INTERVAL 20 SECOND "
           "WHERE instance = 'b:/x'");

    const auto daemons = numbers_of(site).daemons;

    BOOST_REQUIRE(daemons.size() == 2U);
    BOOST_TEST(daemons[0].instance == "a:/x");
    BOOST_TEST(daemons[0].running == 3);
    BOOST_TEST(daemons[0].metrics.dump() == "[2]");
    BOOST_TEST(daemons[0].is_alive());
    BOOST_TEST(daemons[1].metrics.dump() == "[]");
    BOOST_TEST(!daemons[1].is_alive());
}

BOOST_AUTO_TEST_CASE(
    callbacks_are_counted_while_they_wait_and_for_an_hour_after_they_were_given_up) {
    tests::ClusterSite site;
    change(site, "DELETE FROM callback");
    const std::string insert =
        "INSERT INTO callback (cluster_id, job_id, event, cluster_status, job_status, message, "
        "state, attempts, next_at, error, created_at, finished_at) "
        "SELECT cluster_id, id, 'start', 'pending', 'running', '', ";
    change(site, insert +
                     "'waiting', 0, UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE, '', "
                     "UTC_TIMESTAMP(6), NULL FROM job ORDER BY id LIMIT 1");
    change(site, insert +
                     "'given_up', 9, NULL, 'no', UTC_TIMESTAMP(6), "
                     "UTC_TIMESTAMP(6) - INTERVAL 59 MINUTE FROM job ORDER BY id LIMIT 1");
    change(site, insert +
                     "'given_up', 9, NULL, 'no', UTC_TIMESTAMP(6), "
                     "UTC_TIMESTAMP(6) - INTERVAL 61 MINUTE FROM job ORDER BY id LIMIT 1");

    const auto numbers = numbers_of(site);

    BOOST_TEST(numbers.callbacks_waiting == 1);
    BOOST_TEST((numbers.callbacks_late_seconds >= 60 && numbers.callbacks_late_seconds < 120));
    BOOST_TEST(numbers.callbacks_given_up == 1);
    BOOST_TEST(numbers.oldest_kept.at("callbacks") >= 3660);
}

BOOST_AUTO_TEST_CASE(emails_that_fail_are_counted_with_what_was_said_last) {
    tests::ClusterSite site;
    site.fresh.database.write([&](store::Connection& connection) {
        for (const char* subject : {"a", "b", "c"}) {
            store::insert_mail(connection, {.user = site.caller.user.id,
                                            .address = "ann@example.com",
                                            .subject = subject,
                                            .body = ""});
        }
    });
    BOOST_TEST(numbers_of(site).mails_failing == 0);
    BOOST_TEST(numbers_of(site).mail_error == "");

    for (const char* error : {"first", "second"}) {
        site.fresh.database.write([&](store::Connection& connection) {
            const auto mail = store::take_mail(connection, 60s).value();
            store::put_off_mail(connection, mail.id, 60s, error);
        });
    }
    change(site,
           "UPDATE mail SET failing_since = failing_since - INTERVAL 90 SECOND "
           "WHERE error = 'first'");

    const auto numbers = numbers_of(site);
    BOOST_TEST(numbers.mails_failing == 2);
    BOOST_TEST((numbers.mails_failing_seconds >= 90 && numbers.mails_failing_seconds < 150));
    BOOST_TEST(numbers.mail_error == "second");
}

BOOST_AUTO_TEST_CASE(unknown_machines_and_failing_accounts_are_counted) {
    tests::ClusterSite site;
    change(site,
           "INSERT INTO provider_account (tenant_id, provider_type, name, provider, known_at, "
           "next_look_at, failures, error) VALUES "
           "(0, 'aws', 'a', '', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 2, 'no'), "
           "(0, 'aws', 'b', '', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 0, '')");
    change(site,
           "INSERT INTO unknown_machine (account_id, tenant_id, machine_id, name, addresses, "
           "first_seen_at, last_seen_at) SELECT id, 0, 'i-1', 'x', '{}', UTC_TIMESTAMP(6), "
           "UTC_TIMESTAMP(6) FROM provider_account WHERE name = 'b'");
    change(site,
           "INSERT INTO machine_sighting (node_id, account_id, machine_id, misses, missing_since) "
           "SELECT node.id, provider_account.id, 'i-2', node.nodenum - 1000, UTC_TIMESTAMP(6) "
           "FROM node, provider_account WHERE provider_account.name = 'b'");

    const auto numbers = numbers_of(site);

    BOOST_TEST(numbers.unknown_machines == 1);
    // Of the three nodes the first was listed and the second missed once.
    BOOST_TEST(numbers.lost_machines == 1);
    BOOST_TEST(numbers.failing_accounts.size() == 1U);
    BOOST_TEST(numbers.failing_accounts.at("aws") == 1);
}

BOOST_AUTO_TEST_CASE(the_migrations_of_a_fresh_database_are_those_the_program_was_built_for) {
    tests::ClusterSite site;

    BOOST_TEST(site.fresh.database.look(store::applied_schema).value() == base::schema_version());
}

BOOST_AUTO_TEST_CASE(a_job_and_its_claims_know_the_request_that_asked) {
    tests::ClusterSite site;
    site.succeed_all();
    site.caller.request = "4cdd7f8c9db347768b7c364928f6c6cc";

    BOOST_REQUIRE(
        operations::delete_cluster(site.fresh.database, site.caller, site.cluster, site.now));

    BOOST_TEST(site.summary().latest_job->asked_by.request == site.caller.request);
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1U);
    BOOST_TEST(claims[0].request == site.caller.request);
}

BOOST_AUTO_TEST_CASE(calls_and_connections_are_counted) {
    tests::ClusterSite site;
    const auto& counters = site.fresh.database.counters();
    const auto before = counters.calls.value();
    std::int64_t busy = 0;

    site.fresh.database.look([&](store::Connection& connection) {
        busy = counters.in_use.value();
        return store::applied_schema(connection);
    });

    BOOST_TEST(counters.calls.value() == before + 1);
    BOOST_TEST(busy == 1);
    BOOST_TEST(counters.in_use.value() == 0);
    BOOST_TEST(!site.fresh.database.is_silent());
}

BOOST_AUTO_TEST_SUITE_END()
