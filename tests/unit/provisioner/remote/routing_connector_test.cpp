#include "provisioner/remote/routing_connector.hpp"

#include <boost/test/unit_test.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

using namespace provisioner::remote;

namespace {

/// Counts what it is asked for, and has nothing to give.
class CountingConnector : public Connector {
 public:
    boost::asio::awaitable<std::shared_ptr<Session>> connect(const Endpoint&,
                                                             std::chrono::milliseconds) override {
        ++asked;
        co_return nullptr;
    }

    int asked = 0;
};

struct Routes {
    Routes() {
        connector.add("simulated ", simulated);
        connector.add("simulated", never);
    }

    void connect(const std::string& host_key) {
        Endpoint endpoint;
        endpoint.host_key = host_key;
        auto session = boost::asio::co_spawn(
            loop, connector.connect(endpoint, std::chrono::seconds(1)), boost::asio::use_future);
        loop.restart();
        loop.run();
        session.get();
    }

    boost::asio::io_context loop{1};
    CountingConnector ssh;
    CountingConnector simulated;
    CountingConnector never;
    RoutingConnector connector{ssh};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(routing_connector, Routes)

BOOST_AUTO_TEST_CASE(a_host_key_goes_to_the_first_connector_whose_prefix_it_has) {
    connect("simulated 00000001-1000");

    BOOST_TEST(simulated.asked == 1);
    BOOST_TEST(never.asked == 0);
    BOOST_TEST(ssh.asked == 0);
}

BOOST_AUTO_TEST_CASE(any_other_key_and_none_go_to_the_one_connector_for_the_rest) {
    connect("ssh-ed25519 AAAA");
    connect("");

    BOOST_TEST(ssh.asked == 2);
    BOOST_TEST(simulated.asked == 0);
}

BOOST_AUTO_TEST_SUITE_END()
