#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <atomic>
#include <future>
#include <thread>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/database/statement.hpp"
#include "tests/support/database_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using store::Connection;
using store::DatabaseUnavailable;

BOOST_AUTO_TEST_SUITE(outages)

namespace {

constexpr store::Patience short_patience{.connect = 1s, .statement = 2s, .lock = 1s, .retries = 1s};

/// A server of its own, with a table of counters that clients count in.
struct Site {
    Site() {
        const auto connection = queue::connect_to_server(config);
        queue::execute(*connection, "CREATE DATABASE outages");
        queue::execute(*connection,
                       "CREATE TABLE outages.counter (id INT PRIMARY KEY, v INT NOT NULL)");
        queue::execute(*connection, "INSERT INTO outages.counter VALUES (1, 0)");
    }

    void count() {
        database.write([](Connection& connection) {
            connection.sql("UPDATE counter SET v = v + 1 WHERE id = ?") << 1 << store::exec;
        });
    }

    int counted() {
        return database.look([](Connection& connection) {
            store::Rows row = connection.sql("SELECT v FROM counter WHERE id = 1")
                              << store::one_row;
            return row.get<int>("v");
        });
    }

    tests::DatabaseServer server;
    base::Config config = server.config("outages");
    store::Database database{config, short_patience};
};

/// How long `run` takes to say that the database is unavailable; nothing when it says something
/// else.
template <class Run>
std::optional<std::chrono::milliseconds> time_until_unavailable(Run&& run) {
    const auto began = std::chrono::steady_clock::now();
    try {
        run();
        return std::nullopt;
    } catch (const DatabaseUnavailable&) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - began);
    }
}

bool comes_back(Site& site) {
    for (int i = 0; i < 100; ++i) {
        try {
            site.counted();
            return true;
        } catch (const DatabaseUnavailable&) {
            std::this_thread::sleep_for(50ms);
        }
    }
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_stopped_server_is_unavailable_within_seconds_and_then_at_once) {
    Site site;
    site.count();
    site.server.pause();

    const auto first = time_until_unavailable([&] { site.counted(); });
    BOOST_REQUIRE(first.has_value());
    BOOST_TEST(first->count() < 4000);
    // One tries, the others are not kept waiting.
    auto trial = std::async(std::launch::async,
                            [&] { return time_until_unavailable([&] { site.counted(); }); });
    std::this_thread::sleep_for(200ms);
    for (int i = 0; i < 5; ++i) {
        const auto other = time_until_unavailable([&] { site.counted(); });
        BOOST_REQUIRE(other.has_value());
        BOOST_TEST(other->count() < 300);
    }
    const auto tried = trial.get();
    BOOST_REQUIRE(tried.has_value());
    BOOST_TEST(tried->count() < 4000);

    site.server.resume();
    BOOST_TEST(comes_back(site));
    BOOST_TEST(site.counted() == 1);
}

// A signal to process -1 reaches every process of the system.
BOOST_AUTO_TEST_CASE(a_server_that_does_not_run_is_sent_no_signal) {
    tests::DatabaseServer server;
    server.kill();

    BOOST_CHECK_THROW(server.pause(), std::logic_error);
    BOOST_CHECK_THROW(server.resume(), std::logic_error);
    BOOST_CHECK_THROW(server.kill(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_restart_between_two_calls_is_not_noticed) {
    Site site;
    site.count();
    site.server.kill();
    site.server.start_again();

    site.count();

    BOOST_TEST(site.counted() == 2);
}

BOOST_AUTO_TEST_CASE(a_server_killed_under_load_loses_no_acknowledged_change) {
    Site site;
    std::atomic<bool> over = false;
    std::atomic<int> done = 0;
    std::atomic<int> in_doubt = 0;
    std::atomic<int> refused = 0;
    std::vector<std::future<void>> clients;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(std::async(std::launch::async, [&] {
            while (!over) {
                try {
                    site.count();
                    ++done;
                } catch (const DatabaseUnavailable& error) {
                    ++(error.is_in_doubt() ? in_doubt : refused);
                    std::this_thread::sleep_for(10ms);
                }
            }
        }));
    }

    for (int i = 0; i < 3; ++i) {
        std::this_thread::sleep_for(500ms);
        site.server.kill();
        site.server.start_again();
    }
    BOOST_TEST(comes_back(site));
    std::this_thread::sleep_for(300ms);
    over = true;
    // Anything but DatabaseUnavailable would be thrown here.
    for (auto& client : clients) client.get();

    BOOST_TEST_MESSAGE(done << " done, " << in_doubt << " in doubt, " << refused << " refused");
    BOOST_TEST(site.counted() >= done);
    BOOST_TEST(site.counted() <= done + in_doubt);
}

BOOST_AUTO_TEST_SUITE_END()
