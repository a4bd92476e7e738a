#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "provisioner/providers/local/helper/server.hpp"
#include "provisioner/providers/local/host/processes.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"
#include "tests/integration/provisioner/providers/local/helper/clients.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using tests::ask;
using tests::Client;
using tests::LocalHosts;

// The daemon may be taken over, so the helper must expect anything from its socket.
BOOST_AUTO_TEST_SUITE(hostile_clients)

namespace {

std::chrono::milliseconds time_of_a_list(const LocalHosts& hosts) {
    const auto began = std::chrono::steady_clock::now();
    const std::string answer = ask(hosts.settings.socket, local::list_request());
    BOOST_TEST(answer == "{\"exit_code\":0}\n");
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began);
}

std::string error_in(const std::string& answer) {
    const auto refused = local::read_answer(answer);
    return std::get<Refused>(refused).message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(silent_clients_are_cut_off_and_hinder_nobody) {
    LocalHosts hosts;
    std::vector<Client> silent;
    for (std::size_t i = 0; i < 3 * local::most_connections; ++i) {
        silent.emplace_back(hosts.settings.socket);
        if (i % 2 == 0) silent.back().send("{\"verb\":");
    }

    // Once all places are taken, the next waits until somebody has been silent for a second.
    BOOST_TEST(time_of_a_list(hosts).count() < 8000);

    const auto began = std::chrono::steady_clock::now();
    for (const Client& client : silent) BOOST_TEST(client.rest() == "");
    BOOST_TEST((std::chrono::steady_clock::now() - began < local::request_patience + 5s));
    BOOST_TEST(time_of_a_list(hosts).count() < 1000);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_too_long_is_cut_off) {
    LocalHosts hosts;
    const Client endless(hosts.settings.socket);

    const bool was_taken = endless.send(std::string(50'000'000, 'x'));

    BOOST_TEST(!was_taken);
    BOOST_TEST(endless.rest() == "");
    time_of_a_list(hosts);
}

BOOST_AUTO_TEST_CASE(garbage_is_answered_in_words) {
    LocalHosts hosts;
    const std::string& socket = hosts.settings.socket;

    BOOST_TEST(error_in(ask(socket, "\n")) == "the request is no JSON object");
    BOOST_TEST(error_in(ask(socket, std::string(60'000, '[') + "\n")) ==
               "the request is no JSON object");
    BOOST_TEST(error_in(ask(socket, std::string("\0\xff\xfe\n", 4))) ==
               "the request is no JSON object");
    BOOST_TEST(error_in(ask(socket, local::list_request() + local::list_request())) ==
               "the request is no JSON object");
    BOOST_TEST(error_in(ask(socket, "{\"verb\":\"cleanup\"}\n")) ==
               "verb: \"cleanup\" is not start, status, stop or list");
    BOOST_TEST(error_in(ask(socket, "{\"verb\":\"status\",\"name\":\"../../etc\"}\n"))
                   .starts_with("name: "));
    time_of_a_list(hosts);
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_early_leaves_no_half_made_host) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    const std::string start =
        local::start_request(hosts.settings, provisioner::base::Json::object(), spec).value();

    for (const auto life : {0ms, 1ms, 5ms, 20ms, 50ms, 100ms}) {
        Client client(hosts.settings.socket);
        client.send(start);
        std::this_thread::sleep_for(life);
        client.hang_up();

        hosts.reach(spec);
        BOOST_TEST(local::hosts_of(hosts.settings.state_dir).size() == 1u);
        hosts.destroy(spec);
        BOOST_TEST(tests::traces_on_this_machine(hosts.settings.state_dir).empty());
    }
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_holds_up_nobody) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    std::vector<Client> deaf;

    for (std::size_t i = 0; i < 2 * local::most_children; ++i) {
        deaf.emplace_back(hosts.settings.socket);
        deaf.back().send(local::list_request());
    }

    BOOST_TEST(ask(hosts.settings.socket, local::status_request("a")).find("running") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(more_requests_than_children_are_all_answered) {
    LocalHosts hosts;
    std::vector<Client> clients;
    for (std::size_t i = 0; i < 3 * local::most_connections; ++i) {
        clients.emplace_back(hosts.settings.socket);
        clients.back().send(local::list_request());
    }

    std::size_t answered = 0;
    for (const Client& client : clients) answered += client.rest() == "{\"exit_code\":0}\n" ? 1 : 0;

    BOOST_TEST(answered == clients.size());
}

BOOST_AUTO_TEST_SUITE_END()
