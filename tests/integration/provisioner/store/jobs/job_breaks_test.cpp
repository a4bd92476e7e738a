#include "provisioner/store/jobs/job_breaks.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(job_breaks)

namespace {

/// A cluster whose job is made longer by moving what has been into the past.
struct BreaksSite : tests::ClusterSite {
    model::JobId job = summary().latest_job->id;

    void let_pass(const std::string& time) {
        fresh.database.write([&](store::Connection& c) {
            c.sql("UPDATE attempt SET started_at = started_at - INTERVAL " + time +
                  ", finished_at = finished_at - INTERVAL " + time)
                << store::exec;
            c.sql("UPDATE task SET started_at = started_at - INTERVAL " + time +
                  ", finished_at = finished_at - INTERVAL " + time)
                << store::exec;
            c.sql("UPDATE job SET created_at = UTC_TIMESTAMP(6) - INTERVAL 9 HOUR") << store::exec;
        });
    }

    std::vector<store::JobBreak> breaks() {
        return fresh.database.read([&](store::Connection& c) {
            const auto found = store::find_job(c, job).value();
            return store::breaks_of(c, {found}, found.created_at + 9h);
        });
    }

    /// Rows that the database touches for them.
    long long rows_for_breaks() {
        return fresh.database.read([&](store::Connection& c) {
            const auto found = store::find_job(c, job).value();
            const auto rows = [&c] {
                store::Rows row = c.sql(
                    "SELECT CAST(SUM(variable_value) AS INTEGER) AS touched "
                    "FROM information_schema.session_status "
                    "WHERE variable_name LIKE 'HANDLER_READ%'");
                return row.next() ? row.get<long long>("touched") : 0;
            };
            const long long before = rows();
            store::breaks_of(c, {found}, found.created_at + 9h);
            return rows() - before;
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_job_stands_still_between_the_end_of_one_attempt_and_the_begin_of_the_next) {
    BreaksSite site;
    site.let_pass("1 SECOND");
    // Before the first attempt it waits for its turn.
    BOOST_TEST(site.breaks().empty());
    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    site.let_pass("1 HOUR");
    BOOST_TEST(site.breaks().empty());
    site.finish(claims[0], queue::Succeeded{});
    BOOST_TEST(site.breaks().empty());
    site.let_pass("3 HOUR");

    // Nothing has been done since.
    auto found = site.breaks();
    BOOST_REQUIRE(found.size() == 1);
    BOOST_TEST((found[0].job == site.job));
    BOOST_TEST((found[0].end - found[0].begin > 179min && found[0].end - found[0].begin < 181min));

    const auto again = site.claim(1);
    BOOST_REQUIRE(again.size() == 1);
    site.finish(again[0], queue::Succeeded{});
    found = site.breaks();
    BOOST_REQUIRE(found.size() == 1);
    BOOST_TEST((found[0].end - found[0].begin > 179min && found[0].end - found[0].begin < 181min));
    site.let_pass("1 MINUTE");
    BOOST_TEST(site.breaks().size() == 1U);
    site.let_pass("1 HOUR");
    BOOST_TEST(site.breaks().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_short_time_between_a_failure_and_a_retry_is_a_break_too) {
    BreaksSite site;
    const auto claims = site.claim();
    for (const auto& claim : claims) site.finish(claim, tests::a_failure(std::nullopt));
    BOOST_REQUIRE(
        operations::retry_job(site.fresh.database, site.caller, site.cluster).has_value());
    site.let_pass("20 SECOND");
    BOOST_TEST(site.breaks().size() == 1U);

    const auto again = site.claim();
    BOOST_REQUIRE(!again.empty());
    const auto found = site.breaks();
    BOOST_REQUIRE(found.size() == 1U);
    BOOST_TEST((found[0].end - found[0].begin > 19s && found[0].end - found[0].begin < 25s));

    // Waiting for another try by itself is none.
    for (const auto& claim : again) site.finish(claim, tests::a_failure(0ms));
    site.let_pass("20 SECOND");
    BOOST_REQUIRE(!site.claim(1).empty());
    BOOST_TEST(site.breaks().size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_time_before_each_of_two_retries_is_a_break) {
    BreaksSite site;
    const auto retry = [&] {
        BOOST_REQUIRE(
            operations::retry_job(site.fresh.database, site.caller, site.cluster).has_value());
        site.let_pass("20 SECOND");
        return site.claim();
    };
    auto claims = site.claim();
    BOOST_REQUIRE(claims.size() > 1U);
    for (const auto& claim : claims) site.finish(claim, tests::a_failure(std::nullopt));
    claims = retry();
    BOOST_REQUIRE(claims.size() > 1U);
    // One succeeds at the second time, the others at the third.
    site.finish(claims.front(), queue::Succeeded{});
    for (std::size_t i = 1; i < claims.size(); ++i) {
        site.finish(claims[i], tests::a_failure(std::nullopt));
    }
    for (const auto& claim : site.claim()) site.finish(claim, tests::a_failure(std::nullopt));

    BOOST_REQUIRE(!retry().empty());

    BOOST_TEST(site.breaks().size() == 2U);
}

BOOST_AUTO_TEST_CASE(each_task_of_a_large_job_is_read_a_few_times_only) {
    BreaksSite site;
    site.succeed_all();
    site.let_pass("1 HOUR");
    constexpr int tasks = 3000;
    site.fresh.database.write([&](store::Connection& c) {
        c.sql(
            "INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, "
            "fence, message, started_at, finished_at) "
            "SELECT job_id, node_id, action, service, state, 0, 1, 0, '', "
            "started_at + INTERVAL seq * 1000 MICROSECOND, finished_at + INTERVAL seq * 1000 "
            "MICROSECOND "
            "FROM task, seq_1_to_3000 "
            "WHERE job_id = ? AND state = 'done' "
            "AND id = (SELECT MIN(id) FROM task WHERE job_id = ?)")
            << site.job.value << site.job.value << store::exec;
    });

    const long long rows = site.rows_for_breaks();

    BOOST_TEST(rows > tasks);
    BOOST_TEST(rows < 10 * tasks);
}

BOOST_AUTO_TEST_SUITE_END()
