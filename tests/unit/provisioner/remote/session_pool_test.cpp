#include "provisioner/remote/session_pool.hpp"

#include <boost/test/unit_test.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <map>

using namespace provisioner::remote;
using namespace std::chrono_literals;

namespace {

class FakeSession : public Session {
 public:
    FakeSession(bool& alive, int& open) : alive_(alive), open_(open) { ++open_; }
    ~FakeSession() override { --open_; }
    FakeSession(const FakeSession&) = delete;
    FakeSession& operator=(const FakeSession&) = delete;

    boost::asio::awaitable<void> upload(const Upload&) override { co_return; }
    boost::asio::awaitable<std::vector<std::size_t>> lacking(const Delivery&) override {
        co_return std::vector<std::size_t>();
    }
    boost::asio::awaitable<void> send(const DeliveredFile&, const Pieces&) override { co_return; }
    boost::asio::awaitable<RunResult> run(const Run&, const StepKey&, const OutputSink&) override {
        co_return RunResult{};
    }
    boost::asio::awaitable<void> stop(const StepKey&) override { co_return; }
    const std::string& host_key() const override { return key_; }
    bool alive() const override { return alive_; }
    std::chrono::steady_clock::time_point last_heard() const override { return {}; }

 private:
    bool& alive_;
    int& open_;
    std::string key_ = "ssh-ed25519 AAAA";
};

class FakeConnector : public Connector {
 public:
    boost::asio::awaitable<std::shared_ptr<Session>> connect(const Endpoint&,
                                                             std::chrono::milliseconds) override {
        ++attempts;
        if (attempts <= refusals) throw TransportError("Failed getting banner");
        if (untrusted) throw UntrustedHost("another key");
        co_return std::make_shared<FakeSession>(alive, open);
    }

    int attempts = 0;
    int refusals = 0;
    bool untrusted = false;
    bool alive = true;
    int open = 0;
};

struct PoolFixture {
    std::shared_ptr<Session> acquire(const std::string& address,
                                     const std::string& host_key = "ssh-ed25519 AAAA") {
        Endpoint endpoint;
        endpoint.address = address;
        endpoint.host_key = host_key;
        return acquire(endpoint);
    }

    std::shared_ptr<Session> acquire(const Endpoint& endpoint) {
        auto session =
            boost::asio::co_spawn(loop, pool.acquire(endpoint, patience), boost::asio::use_future);
        loop.restart();
        loop.run();
        return session.get();
    }

    boost::asio::io_context loop{1};
    FakeConnector connector;
    std::chrono::milliseconds patience{60'000};
    SessionPool pool{connector,
                     {.first_pause = 0ms, .longest_pause = 0ms, .jitter = [] { return 0.5; }}};
    SessionPool::Moment now{1h};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(session_pool, PoolFixture)

BOOST_AUTO_TEST_CASE(a_session_that_was_given_back_is_used_again) {
    acquire("10.0.0.1");
    acquire("10.0.0.1");

    BOOST_TEST(connector.attempts == 1);
    BOOST_TEST(pool.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_session_of_a_first_contact_is_used_again_under_the_key_that_was_shown) {
    acquire("10.0.0.1", "");
    acquire("10.0.0.1", "ssh-ed25519 AAAA");

    BOOST_TEST(connector.attempts == 1);
    BOOST_TEST(pool.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_endpoint_without_a_known_key_gets_no_kept_session) {
    acquire("10.0.0.1");
    acquire("10.0.0.1", "");

    BOOST_TEST(connector.attempts == 2);
}

BOOST_AUTO_TEST_CASE(a_session_in_use_is_not_shared) {
    const auto first = acquire("10.0.0.1");
    const auto second = acquire("10.0.0.1");

    BOOST_TEST(first != second);
    BOOST_TEST(connector.open == 2);
}

BOOST_AUTO_TEST_CASE(another_address_is_another_session) {
    acquire("10.0.0.1");
    acquire("10.0.0.2");

    BOOST_TEST(connector.attempts == 2);
}

BOOST_AUTO_TEST_CASE(who_has_other_keys_does_not_get_a_session_that_they_could_not_have_made) {
    Endpoint owner;
    owner.address = "10.0.0.1";
    owner.host_key = "ssh-ed25519 AAAA";
    owner.private_key = provisioner::base::Secret("of the owner");
    Endpoint another = owner;
    another.private_key = provisioner::base::Secret("of another tenant");
    Endpoint guessed = owner;
    guessed.private_key = {};
    guessed.other_keys = {provisioner::base::Secret("of the owner")};
    acquire(owner);

    acquire(another);
    BOOST_TEST(connector.attempts == 2);
    acquire(guessed);
    BOOST_TEST(connector.attempts == 3);
    acquire(owner);
    BOOST_TEST(connector.attempts == 3);
}

BOOST_AUTO_TEST_CASE(a_dead_session_is_replaced) {
    acquire("10.0.0.1");
    connector.alive = false;

    acquire("10.0.0.1");

    BOOST_TEST(connector.attempts == 2);
    BOOST_TEST(pool.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_dropped_connection_is_tried_again) {
    connector.refusals = 3;

    const auto session = acquire("10.0.0.1");

    BOOST_TEST(session->alive());
    BOOST_TEST(connector.attempts == 4);
}

BOOST_AUTO_TEST_CASE(when_patience_is_over_the_last_error_is_thrown) {
    connector.refusals = 1000;
    patience = 0ms;

    BOOST_CHECK_THROW(acquire("10.0.0.1"), TransportError);
    BOOST_TEST(connector.attempts == 1);
    BOOST_TEST(pool.size() == 0u);
}

BOOST_AUTO_TEST_CASE(an_untrusted_host_is_not_tried_again) {
    connector.untrusted = true;

    BOOST_CHECK_THROW(acquire("10.0.0.1"), UntrustedHost);
    BOOST_TEST(connector.attempts == 1);
}

BOOST_AUTO_TEST_CASE(dropping_an_address_closes_its_sessions_only) {
    acquire("10.0.0.1");
    acquire("10.0.0.2");

    pool.drop("10.0.0.1");

    BOOST_TEST(pool.size() == 1u);
    BOOST_TEST(connector.open == 1);
}

BOOST_AUTO_TEST_CASE(a_session_that_was_idle_for_long_is_closed) {
    acquire("10.0.0.1");

    pool.close_idle(now);
    pool.close_idle(now + 4min);
    BOOST_TEST(pool.size() == 1u);
    pool.close_idle(now + 5min);

    BOOST_TEST(pool.size() == 0u);
    BOOST_TEST(connector.open == 0);
}

BOOST_AUTO_TEST_CASE(a_session_in_use_is_never_idle_and_its_idle_time_starts_anew) {
    auto session = acquire("10.0.0.1");

    pool.close_idle(now);
    pool.close_idle(now + 10min);
    session.reset();
    pool.close_idle(now + 11min);
    pool.close_idle(now + 15min);

    BOOST_TEST(pool.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
