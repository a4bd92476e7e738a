#include "provisioner/daemon/machines/shared_rate_limits.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>

#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/machines/call_rate_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using providers::cloud::Lane;

namespace {

/// A daemon with its own connections and loop.
struct Daemon {
    explicit Daemon(store::Database& database) : limits(database, clock, log) {}

    void ask(const Lane& lane, std::vector<std::chrono::milliseconds>& waits) {
        boost::asio::co_spawn(
            loop,
            [this, lane, &waits]() -> boost::asio::awaitable<void> {
                const auto wait = co_await limits.take(lane, 1s);
                waits.push_back(wait);
            },
            boost::asio::detached);
    }

    base::SystemClock clock;
    std::ostringstream lines;
    base::Log log{lines, clock};
    daemon::SharedRateLimits limits;
    boost::asio::io_context loop{1};
};

Lane lane(double per_second, int burst) {
    return {
        .account = std::string(64, 'a'), .kind = "read", .per_second = per_second, .burst = burst};
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_daemons_take_no_more_calls_together_than_the_account_allows) {
    tests::FreshDatabase fresh;
    Daemon one(fresh.database);
    Daemon other(fresh.database);
    std::vector<std::chrono::milliseconds> waits;
    std::vector<std::chrono::milliseconds> other_waits;
    // One a second after the first ten: the test is over long before the second one is due.
    const Lane slow = lane(0.01, 10);
    for (int i = 0; i < 20; ++i) {
        one.ask(slow, waits);
        other.ask(slow, other_waits);
    }
    std::thread beside([&] { other.loop.run(); });
    one.loop.run();
    beside.join();
    waits.insert(waits.end(), other_waits.begin(), other_waits.end());
    BOOST_REQUIRE(waits.size() == 40U);
    BOOST_TEST(std::count(waits.begin(), waits.end(), 0ms) == 10);
    BOOST_TEST(std::count_if(waits.begin(), waits.end(), [](auto wait) { return wait > 1s; }) ==
               30);
}

BOOST_AUTO_TEST_CASE(those_that_ask_at_once_and_get_nothing_are_told_to_come_one_after_the_other) {
    tests::FreshDatabase fresh;
    Daemon daemon(fresh.database);
    std::vector<std::chrono::milliseconds> waits;
    // So slow that a busy machine's pauses do not show.
    const Lane two_in_100_seconds = lane(0.02, 1);
    daemon.ask(two_in_100_seconds, waits);
    daemon.loop.run();
    daemon.loop.restart();
    std::thread beside;
    fresh.database.write([&](store::Connection& connection) {
        // While the first one waits for the row, the others become one batch.
        store::lock_call_rate(connection, two_in_100_seconds.account, two_in_100_seconds.kind);
        daemon.ask(two_in_100_seconds, waits);
        beside = std::thread([&] { daemon.loop.run(); });
        std::this_thread::sleep_for(500ms);
        for (int i = 0; i < 28; ++i) daemon.ask(two_in_100_seconds, waits);
        std::this_thread::sleep_for(500ms);
    });
    beside.join();
    std::sort(waits.begin(), waits.end());
    BOOST_REQUIRE(waits.size() == 30U);
    BOOST_TEST((waits[2] <= 150s));
    BOOST_TEST((waits.back() > 1200s));
    BOOST_TEST((waits.back() < 1500s));
}

BOOST_AUTO_TEST_CASE(a_pause_that_one_daemon_was_asked_for_holds_for_the_other) {
    tests::FreshDatabase fresh;
    Daemon one(fresh.database);
    Daemon other(fresh.database);
    boost::asio::co_spawn(
        one.loop,
        [&]() -> boost::asio::awaitable<void> { co_await one.limits.pause(lane(10, 10), 1min); },
        boost::asio::detached);
    one.loop.run();
    std::vector<std::chrono::milliseconds> waits;
    other.ask(lane(10, 10), waits);
    other.loop.run();
    BOOST_REQUIRE(waits.size() == 1U);
    BOOST_TEST((waits[0] > 50s));
}

BOOST_AUTO_TEST_CASE(without_the_database_a_daemon_counts_for_itself_and_says_so_once) {
    tests::FreshDatabase fresh;
    store::Database(fresh.root).write([](store::Connection& connection) {
        connection.sql("DROP TABLE call_rate") << store::exec;
    });
    Daemon daemon(fresh.database);
    std::vector<std::chrono::milliseconds> waits;
    for (int i = 0; i < 3; ++i) daemon.ask(lane(0.01, 2), waits);
    daemon.loop.run();
    daemon.ask(lane(0.01, 2), waits);
    daemon.loop.restart();
    daemon.loop.run();
    BOOST_REQUIRE(waits.size() == 4U);
    BOOST_TEST(std::count(waits.begin(), waits.end(), 0ms) == 2);
    const std::string lines = daemon.lines.str();
    const auto first = lines.find("rate_limits.not_shared");
    BOOST_TEST(first != std::string::npos);
    BOOST_TEST(lines.find("rate_limits.not_shared", first + 1) == std::string::npos);
}
