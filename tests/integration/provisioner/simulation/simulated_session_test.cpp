#include "provisioner/simulation/simulated_session.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>

#include "provisioner/simulation/action_script.hpp"
#include "tests/integration/provisioner/simulation/fixture.hpp"

using namespace provisioner::simulation;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::remote::Run;
using provisioner::remote::Session;
using provisioner::remote::TransportError;
using tests::integration::Heard;
using tests::integration::SimulationFixture;

namespace {

struct SessionFixture : SimulationFixture {
    /// A machine with these fields, and a session to it.
    std::shared_ptr<Session> machine(const Json& fields) {
        await(provider.create(account(fields), spec()));
        return connect(clock);
    }

    const BegunStep& step(const std::string& key) {
        file = ledgers.open("00000001-1000");
        BOOST_REQUIRE(file.refresh());
        BOOST_REQUIRE(file.ledger().step(key) != nullptr);
        return *file.ledger().step(key);
    }

    LedgerFile file{""};
};

std::string script(SimulatedAction action) {
    return script_of(action, "start x");
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(simulated_session, SessionFixture)

BOOST_AUTO_TEST_CASE(a_step_begins_once_and_answers_the_same_again_and_again) {
    const auto session = machine({{"simulated_lines", 2}});

    for (int i = 1; i <= 3; ++i) {
        const Heard heard = run(*session, {"17-1-0", 1},
                                i == 1 ? script({.fail_percent = 100, .exit_code = 7}) : "true");

        BOOST_TEST(heard.out == "start x: line 1 of 2\nstart x: line 2 of 2\n");
        BOOST_TEST(heard.err == "start x: simulated failure\n");
        BOOST_TEST(heard.result.exit_code == 7);
        BOOST_TEST(step("17-1-0").asked == i);
    }
}

BOOST_AUTO_TEST_CASE(an_older_fence_is_refused_and_begins_nothing) {
    const auto session = machine(Json::object());
    run(*session, {"17-1-0", 5});

    const Heard older = run(*session, {"17-1-0", 4});
    const Heard equal = run(*session, {"17-1-0", 5});

    BOOST_TEST(older.result.fenced_off);
    BOOST_TEST(older.out == "");
    BOOST_TEST(!equal.result.fenced_off);
    BOOST_TEST(step("17-1-0").fence == 5);
}

BOOST_AUTO_TEST_CASE(a_step_goes_on_while_nobody_looks) {
    auto session = machine({{"simulated_step_ms", 60'000}, {"simulated_reset_percent", 0}});
    // Begun by a daemon that is killed: only its record is left.
    file = ledgers.open("00000001-1000");
    StepCourse course;
    course.label = "start x";
    course.takes = 60s;
    course.limit = 1800s;
    course.lines = 1;
    BOOST_REQUIRE(file.append(begun_record(clock.now(), {"17-1-0", 1}, course)));
    clock.go_on(60s);
    session = connect(clock);

    const Heard heard = run(*session, {"17-1-0", 2});

    BOOST_TEST(heard.result.exit_code == 0);
    BOOST_TEST(heard.out == "start x: line 1 of 1\n");
    BOOST_TEST(step("17-1-0").asked == 2);
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_leaves_the_step_running) {
    const auto session = machine({{"simulated_reset_percent", 100}});

    BOOST_CHECK_THROW(run(*session, {"17-1-0", 1}), TransportError);

    BOOST_TEST(!session->alive());
    BOOST_TEST(step("17-1-0").asked == 1);
    BOOST_TEST(ending_of(step("17-1-0")) == "exit 0");
}

BOOST_AUTO_TEST_CASE(a_step_that_hangs_is_killed_at_its_limit) {
    await(provider.create(account({{"simulated_hung_percent", 100}}), spec()));
    const auto session = connect(real_clock);
    const Run step{.label = "start x", .script = "true", .limit = 1s};
    Heard heard;
    const provisioner::remote::OutputSink sink = [&](auto, std::string_view piece) {
        heard.err += piece;
    };
    const provisioner::remote::StepKey key{"17-1-0", 1};
    const auto began = std::chrono::steady_clock::now();

    heard.result = await(session->run(step, key, sink));

    const auto took = std::chrono::steady_clock::now() - began;
    BOOST_TEST(heard.result.timed_out);
    BOOST_TEST(heard.result.exit_code == 124);
    BOOST_TEST(heard.err.find("killed after its limit of 1 s") != std::string::npos);
    BOOST_TEST((took >= 990ms && took < 5s));
}

BOOST_AUTO_TEST_CASE(a_step_that_hangs_is_stopped_through_another_session) {
    await(provider.create(account({{"simulated_hung_percent", 100}}), spec()));
    const auto session = connect(real_clock);
    const auto other = connect(real_clock);
    const Run step{.label = "start x", .script = "true"};
    const provisioner::remote::StepKey key{"17-1-0", 1};
    std::string printed;
    const provisioner::remote::OutputSink sink = [&](auto, std::string_view piece) {
        printed += piece;
    };
    const auto began = std::chrono::steady_clock::now();
    const auto stop_soon = [&]() -> boost::asio::awaitable<void> {
        boost::asio::steady_timer timer(loop, 100ms);
        co_await timer.async_wait(boost::asio::use_awaitable);
        co_await other->stop(key);
    };

    boost::asio::co_spawn(loop, stop_soon, boost::asio::detached);
    const auto result = await(session->run(step, key, sink));
    const Heard again = run(*other, key);

    BOOST_TEST(result.stopped);
    BOOST_TEST(again.result.stopped);
    BOOST_TEST(printed.find("stopped on request") != std::string::npos);
    BOOST_TEST((std::chrono::steady_clock::now() - began < 5s));
}

BOOST_AUTO_TEST_CASE(output_comes_while_the_step_runs) {
    await(provider.create(account(), spec()));
    const auto session = connect(real_clock);
    std::vector<std::string> pieces;
    const provisioner::remote::OutputSink sink = [&](auto, std::string_view piece) {
        pieces.emplace_back(piece);
    };
    const Run step{.label = "start x", .script = script({.duration = 400ms, .lines = 3})};
    const provisioner::remote::StepKey key{"17-1-0", 1};

    await(session->run(step, key, sink));

    BOOST_TEST(pieces.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_taken_away_breaks_its_connections) {
    const auto session = machine(Json::object());
    await(provider.destroy(account(), spec(), Json::object()));
    const provisioner::remote::Upload upload{.path = "/etc/x", .content = ""};

    const auto put = [&]() -> boost::asio::awaitable<int> {
        co_await session->upload(upload);
        co_return 0;
    };
    BOOST_CHECK_THROW(await(put()), TransportError);
    BOOST_CHECK_THROW(run(*session, {"17-1-0", 1}), TransportError);
    BOOST_TEST(!session->alive());
    BOOST_CHECK_THROW(connect(clock), TransportError);
}

BOOST_AUTO_TEST_CASE(another_step_under_the_same_key_is_refused) {
    await(provider.create(account(), spec()));
    const auto session = connect(real_clock);
    const provisioner::remote::OutputSink nowhere = [](auto, std::string_view) {};
    const provisioner::remote::StepKey key{"1-1-0", 1, "cafe"};
    const Run first{.label = "start x", .script = "true"};
    const Run other{.label = "start y", .script = "true"};
    await(session->run(first, key, nowhere));

    BOOST_TEST(await(session->run(other, key, nowhere)).is_another);
    BOOST_TEST(!await(session->run(first, key, nowhere)).is_another);
}

namespace {

/// Notes that it was asked.
struct OtherConnector : provisioner::remote::Connector {
    boost::asio::awaitable<std::shared_ptr<Session>> connect(
        const provisioner::remote::Endpoint& endpoint, std::chrono::milliseconds) override {
        throw TransportError("no sshd at " + endpoint.address);
    }
};

struct GuestSite {
    explicit GuestSite(SimulationFixture& site)
        : guests(site.folder + "/guests"),
          connector(make_guest_connector(guests, site.real_clock, other)) {}

    OtherConnector other;
    LedgerFolder guests;
    std::unique_ptr<provisioner::remote::Connector> connector;
};

provisioner::remote::Endpoint at(const std::string& address, const std::string& host_key = "") {
    provisioner::remote::Endpoint endpoint;
    endpoint.address = address;
    endpoint.host_key = host_key;
    return endpoint;
}

}  // namespace

BOOST_AUTO_TEST_CASE(machines_of_a_stand_in_are_guests_while_a_folder_for_them_is_there) {
    GuestSite site(*this);
    BOOST_CHECK_THROW(await(site.connector->connect(at("198.18.0.7"), 1s)), TransportError);
    std::filesystem::create_directories(folder + "/guests");

    const auto first = await(site.connector->connect(at("198.18.0.7"), 1s));
    BOOST_TEST(first->host_key() == "simulated-guest 198.18.0.7");
    BOOST_TEST(run(*first, {"17-1-0", 1}).result.exit_code == 0);
    const auto again = await(site.connector->connect(at("198.18.0.7", first->host_key()), 1s));
    run(*again, {"17-1-0", 2});
    auto ledger = site.guests.open("198.18.0.7");
    BOOST_REQUIRE(ledger.refresh());
    BOOST_TEST(ledger.ledger().step("17-1-0")->asked == 2);
}

BOOST_AUTO_TEST_CASE(no_machine_of_another_network_or_with_a_host_key_of_its_own_is_a_guest) {
    GuestSite site(*this);
    std::filesystem::create_directories(folder + "/guests");
    for (const auto& endpoint :
         {at("10.0.0.7"), at("198.20.0.7"), at("198.18.0.7", "ssh-ed25519 AAAA")}) {
        BOOST_CHECK_THROW(await(site.connector->connect(endpoint, 1s)), TransportError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
