#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include "provisioner/daemon/metrics/loop_lag.hpp"
#include "provisioner/daemon/metrics/measured_connector.hpp"
#include "provisioner/daemon/metrics/measured_provider.hpp"
#include "provisioner/metrics/exposition.hpp"

using namespace provisioner;
using boost::asio::awaitable;

BOOST_AUTO_TEST_SUITE(measured)

namespace {

/// Answers as the name of the machine says.
class MoodyProvider final : public providers::Provider {
 public:
    awaitable<providers::Created> create(const model::Account&,
                                         const providers::MachineSpec& spec) override {
        if (spec.name == "broken") throw std::runtime_error("the connection broke");
        if (spec.name == "refused") co_return providers::Refused{.message = "no"};
        co_return providers::Machine{.id = spec.name};
    }
    awaitable<providers::Confirmed> confirm(const model::Account&, const providers::MachineSpec&,
                                            const base::Json&) override {
        co_return providers::Pending{.reason = "boots"};
    }
    awaitable<providers::Destroyed> destroy(const model::Account&, const providers::MachineSpec&,
                                            const base::Json&) override {
        co_return providers::Gone{};
    }
    awaitable<std::vector<providers::SeenMachine>> machines(const model::Account&) override {
        std::vector<providers::SeenMachine> seen(2);
        co_return seen;
    }
    std::string account_name(const model::Account&) const override { return "mine"; }
    bool is_shared() const override { return true; }
    model::PluginType type() const override {
        model::PluginType type;
        type.header.name = "moody";
        return type;
    }
};

class OneSession final : public remote::Session {
 public:
    awaitable<void> upload(const remote::Upload&) override { co_return; }
    awaitable<std::vector<std::size_t>> lacking(const remote::Delivery&) override {
        std::vector<std::size_t> none;
        co_return none;
    }
    awaitable<void> send(const remote::DeliveredFile&, const remote::Pieces&) override {
        co_return;
    }
    awaitable<remote::RunResult> run(const remote::Run&, const remote::StepKey&,
                                     const remote::OutputSink&) override {
        co_return remote::RunResult{};
    }
    awaitable<void> stop(const remote::StepKey&) override { co_return; }
    const std::string& host_key() const override { return key_; }
    bool alive() const override { return true; }
    std::chrono::steady_clock::time_point last_heard() const override { return {}; }

 private:
    std::string key_ = "ssh-ed25519 AAAA";
};

class MoodyConnector final : public remote::Connector {
 public:
    awaitable<std::shared_ptr<remote::Session>> connect(const remote::Endpoint& endpoint,
                                                        std::chrono::milliseconds) override {
        if (endpoint.address == "away") throw remote::TransportError("no route");
        if (endpoint.address == "another") throw remote::UntrustedHost("another key");
        std::shared_ptr<remote::Session> session = std::make_shared<OneSession>();
        co_return session;
    }
};

template <class Result>
Result result_of(awaitable<Result> work) {
    boost::asio::io_context loop;
    auto result = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
    loop.run();
    return result.get();
}

std::string text_of(const daemon::DaemonMetrics& metrics) {
    return metrics::to_text(metrics.families(std::chrono::seconds{0}, 0));
}

bool has_calls(const daemon::DaemonMetrics& metrics, const std::string& verb,
               const std::string& outcome, int calls) {
    const std::string line = "cooperage_provider_calls_total{provider=\"moody\",verb=\"" + verb +
                             "\",outcome=\"" + outcome + "\"} " + std::to_string(calls) + '\n';
    return text_of(metrics).find(line) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_of_a_provider_go_through_and_are_counted_by_their_end) {
    daemon::DaemonMetrics metrics;
    daemon::MeasuredProvider provider(std::make_unique<MoodyProvider>(), metrics);
    const model::Account account{};
    providers::MachineSpec spec;

    spec.name = "made";
    const auto made = result_of(provider.create(account, spec));
    spec.name = "refused";
    result_of(provider.create(account, spec));
    spec.name = "broken";
    BOOST_CHECK_THROW(result_of(provider.create(account, spec)), std::runtime_error);
    const base::Json results = base::Json::object();
    const auto pending = result_of(provider.confirm(account, spec, results));
    result_of(provider.destroy(account, spec, results));

    BOOST_TEST(std::get<providers::Machine>(made).id == "made");
    BOOST_TEST(std::get<providers::Pending>(pending).reason == "boots");
    BOOST_TEST(result_of(provider.machines(account)).size() == 2U);
    BOOST_TEST(provider.account_name(account) == "mine");
    BOOST_TEST(provider.is_shared());
    BOOST_TEST(provider.type().header.name == "moody");
    for (const char* outcome : {"answered", "refused", "broken"}) {
        BOOST_TEST(has_calls(metrics, "create", outcome, 1), outcome);
    }
    for (const char* verb : {"confirm", "destroy", "machines"}) {
        BOOST_TEST(has_calls(metrics, verb, "answered", 1), verb);
    }
}

BOOST_AUTO_TEST_CASE(logins_are_counted_by_their_end_and_sessions_while_they_are_open) {
    daemon::DaemonMetrics metrics;
    MoodyConnector connector;
    daemon::MeasuredConnector counted(connector, metrics);
    const auto connect = [&](const std::string& address) {
        remote::Endpoint endpoint;
        endpoint.address = address;
        return result_of(counted.connect(endpoint, std::chrono::seconds{1}));
    };

    auto session = connect("there");
    const auto copy = session;
    BOOST_CHECK_THROW(connect("away"), remote::TransportError);
    BOOST_CHECK_THROW(connect("another"), remote::UntrustedHost);

    // The pool takes a session for free when it has the only reference.
    BOOST_TEST(session.use_count() == 2);
    BOOST_TEST(session->host_key() == "ssh-ed25519 AAAA");
    BOOST_TEST(metrics.logins.value() == 1U);
    BOOST_TEST(metrics.failed_logins.value() == 1U);
    BOOST_TEST(metrics.untrusted_hosts.value() == 1U);
    BOOST_TEST(metrics.sessions.value() == 1);
}

BOOST_AUTO_TEST_CASE(a_session_that_is_let_go_is_no_longer_open) {
    daemon::DaemonMetrics metrics;
    MoodyConnector connector;
    daemon::MeasuredConnector counted(connector, metrics);

    result_of(counted.connect(remote::Endpoint{}, std::chrono::seconds{1})).reset();

    BOOST_TEST(metrics.sessions.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_loop_that_has_not_answered_is_late_until_it_does) {
    boost::asio::io_context loop;
    daemon::LoopLag lag;
    BOOST_TEST(lag.worst().count() == 0);

    lag.ask(loop);
    lag.ask(loop);
    const auto waiting = lag.worst();
    const auto later = lag.worst();
    const auto answers = loop.run();

    BOOST_TEST(waiting.count() > 0);
    BOOST_TEST(later.count() > waiting.count());
    BOOST_TEST(answers == 1U);
    BOOST_TEST(lag.worst().count() >= later.count());
    BOOST_TEST(lag.worst().count() == lag.worst().count());
}

BOOST_AUTO_TEST_SUITE_END()
