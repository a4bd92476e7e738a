#include "fcgi/monitoring/families.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/metrics/exposition.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(families)

namespace {

store::WatchedDaemon a_daemon(const std::string& instance, std::int64_t heard) {
    store::WatchedDaemon daemon;
    daemon.instance = instance;
    daemon.capacity = 10;
    daemon.running = 4;
    daemon.started_seconds_ago = 60;
    daemon.heard_seconds_ago = heard;
    daemon.metrics = *base::parse_json(
        R"([{"name":"cooperage_x_total","help":"X.","type":"counter","samples":[[[],5]]}])");
    return daemon;
}

store::WatchedNumbers some_numbers() {
    store::WatchedNumbers numbers;
    numbers.tasks_due = 2;
    numbers.tasks_later = 3;
    numbers.tasks_claimed = 4;
    numbers.tasks_unfinished = 20;
    numbers.jobs = {{"running", 1}};
    numbers.clusters = {{"active", 7}};
    numbers.oldest_kept = {{"output", 31 * 86400}, {"clusters", 10}};
    numbers.failing_accounts = {{"aws", 1}};
    numbers.daemons = {a_daemon("here", 3), a_daemon("gone", 16)};
    return numbers;
}

bool has(const std::string& line) {
    const operations::Retention retention{.output = 720h,
                                          .tasks = 2000h,
                                          .jobs = 3000h,
                                          .clusters = 24h,
                                          .unsatisfiable = {},
                                          .callbacks = {},
                                          .usage = {},
                                          .catalogue = {}};
    const auto families = fcgi::monitoring::families_of(some_numbers(), retention);
    return metrics::to_text(families).find('\n' + line + '\n') != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tasks_that_are_in_no_other_state_wait_for_others) {
    BOOST_TEST(has(R"(cooperage_queue_tasks{state="blocked"} 11)"));
    BOOST_TEST(has(R"(cooperage_queue_tasks{state="claimed"} 4)"));
    BOOST_TEST(has(R"(cooperage_queue_tasks{state="due"} 2)"));
    BOOST_TEST(has(R"(cooperage_queue_tasks{state="later"} 3)"));
}

BOOST_AUTO_TEST_CASE(states_that_nothing_is_in_are_zero_and_not_absent) {
    BOOST_TEST(has(R"(cooperage_jobs{status="paused"} 0)"));
    BOOST_TEST(has(R"(cooperage_jobs_ended_recently{status="failed"} 0)"));
    BOOST_TEST(has(R"(cooperage_clusters{status="active"} 7)"));
    BOOST_TEST(has(R"(cooperage_clusters{status="inconsistent"} 0)"));
}

BOOST_AUTO_TEST_CASE(retention_is_behind_by_what_rows_are_older_than_they_may_be) {
    BOOST_TEST(has(R"(cooperage_retention_lag_seconds{kind="output"} 86400)"));
    BOOST_TEST(has(R"(cooperage_retention_lag_seconds{kind="clusters"} 0)"));
    BOOST_TEST(!has(R"(cooperage_retention_lag_seconds{kind="callbacks"} 0)"));
}

BOOST_AUTO_TEST_CASE(only_a_daemon_that_is_alive_has_what_it_counted) {
    BOOST_TEST(has("cooperage_daemons_alive 1"));
    BOOST_TEST(has(R"(cooperage_daemon_up{daemon="gone"} 0)"));
    BOOST_TEST(has(R"(cooperage_daemon_heartbeat_age_seconds{daemon="gone"} 16)"));
    BOOST_TEST(has(R"(cooperage_daemon_tasks{daemon="gone"} 0)"));
    BOOST_TEST(has(R"(cooperage_daemon_tasks{daemon="here"} 4)"));
    BOOST_TEST(has(R"(cooperage_x_total{daemon="here"} 5)"));
    BOOST_TEST(!has(R"(cooperage_x_total{daemon="gone"} 5)"));
}

BOOST_AUTO_TEST_CASE(an_account_that_fails_shows_its_type) {
    BOOST_TEST(has(R"(cooperage_provider_accounts_failing{provider="aws"} 1)"));
}

BOOST_AUTO_TEST_SUITE_END()
