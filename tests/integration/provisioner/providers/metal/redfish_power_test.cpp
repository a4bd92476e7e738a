#include "provisioner/providers/metal/redfish_power.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <thread>

#include "tests/support/python_server.hpp"
#include "tests/support/sshd.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using existing::SwitchAnswer;
using existing::Switched;
using namespace std::chrono_literals;

// OpenStack's Redfish emulator (PyPI: sushy-tools), which nobody here wrote, with TLS and logins.
BOOST_AUTO_TEST_SUITE(redfish_controllers)

namespace {

constexpr auto first_path = "/redfish/v1/Systems/aaaaaaaa-0000-4000-8000-000000000001";

struct Folder {
    Folder() {
        std::string name = "/tmp/cooperage-metal-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
        path = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
};

struct Rack {
    Rack() {
        authority = tests::support::text_of_file(folder.path + "/ca.pem");
        machine.name = "rack7-1";
        machine.controller = {.url = "https://127.0.0.1:" + std::to_string(server.port()),
                              .system = first_path};
        account.fields = {
            {"bmc_user", "admin"}, {"bmc_password", "s3cret:word"}, {"ca_certificates", authority}};
    }

    template <class Answer>
    Answer run(boost::asio::awaitable<Answer> verb) {
        loop.restart();
        auto result = boost::asio::co_spawn(loop, std::move(verb), boost::asio::use_future);
        loop.run_for(1min);
        if (!loop.stopped()) throw std::runtime_error("no answer within a minute");
        return result.get();
    }

    base::Json control(const std::string& method, const std::string& path,
                       const base::Json& body = nullptr) {
        http_client::Request request;
        request.method = method;
        request.url = machine.controller.url + path;
        request.authorities = authority;
        if (!body.is_null()) request.body = base::to_text(body);
        const auto reply = run(client->send(request));
        if (reply.status != 200) throw std::runtime_error("the control side: " + reply.error);
        return base::parse_json(reply.body).value();
    }

    SwitchAnswer on() { return run(power.on(account, machine)); }
    SwitchAnswer off(std::chrono::milliseconds waited = 0ms) {
        return run(power.off(account, machine, waited));
    }

    /// Asks until it is switched; how often that was.
    int until_switched(const std::function<SwitchAnswer()>& verb) {
        for (int turn = 1; turn < 60; ++turn) {
            const SwitchAnswer answer = verb();
            if (std::holds_alternative<Switched>(answer)) return turn;
            if (const auto* refused = std::get_if<Refused>(&answer)) BOOST_FAIL(refused->message);
            // Less often than the emulator's machines take: each request begins the time anew.
            std::this_thread::sleep_for(2500ms);
        }
        return 0;
    }

    int resets() {
        int count = 0;
        for (const auto& call : control("GET", "/-/calls")) count += call.at("type") != "" ? 1 : 0;
        return count;
    }

    Folder folder;
    tests::PythonServer server{{"tests/support/clouds/metal_stand_in.py", folder.path}};
    std::unique_ptr<http_client::Client> client =
        http_client::make_curl_client(http_client::OwnNetwork::open);
    metal::RedfishPower power{*client};
    boost::asio::io_context loop{1};
    std::string authority;
    Account account;
    inventory::ListedMachine machine;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_machine_is_switched_on_and_off_again_and_its_neighbour_is_not, Rack) {
    BOOST_TEST(std::holds_alternative<Switched>(run(power.look(account, machine))));

    BOOST_TEST(until_switched([&] { return on(); }) > 1);
    const base::Json one_on{{"rack7-1", "On"}, {"rack7-2", "Off"}};
    BOOST_TEST(control("GET", "/-/state") == one_on);

    BOOST_TEST(until_switched([&] { return off(); }) > 1);
    const base::Json both_off{{"rack7-1", "Off"}, {"rack7-2", "Off"}};
    BOOST_TEST(control("GET", "/-/state") == both_off);
    for (const auto& call : control("GET", "/-/calls")) {
        BOOST_TEST(call.at("status").get<int>() < 300);
    }
}

BOOST_FIXTURE_TEST_CASE(a_switch_whose_reply_was_lost_is_found_done, Rack) {
    control("POST", "/-/fault", {{"kind", "lost_reply"}, {"method", "POST"}});

    // libcurl may have sent it again over a new connection: a second "On" is harmless.
    BOOST_TEST(std::holds_alternative<Pending>(on()));
    BOOST_TEST(until_switched([&] { return on(); }) > 0);
    BOOST_TEST(resets() >= 1);
}

BOOST_FIXTURE_TEST_CASE(a_controller_that_is_busy_is_waited_for, Rack) {
    control("POST", "/-/fault", {{"kind", "error"}, {"status", 503}});

    BOOST_TEST(std::get<Pending>(on()).reason.find(
                   "is busy: HTTP status 503: The service is temporarily unavailable.") !=
               std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_wrong_password_is_told_without_the_password, Rack) {
    account.fields["bmc_password"] = "wr0ng";

    const auto refused = std::get<Refused>(on());

    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(refused.message.find("refuses the login") != std::string::npos);
    BOOST_TEST(refused.message.find("Incorrect username or password") != std::string::npos);
    BOOST_TEST(refused.message.find("wr0ng") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_is_not_there_is_told_with_those_that_are, Rack) {
    machine.controller.system = "/redfish/v1/Systems/9";

    const std::string message = std::get<Refused>(on()).message;

    BOOST_TEST(message.find("has no /redfish/v1/Systems/9") != std::string::npos);
    BOOST_TEST(message.find(first_path) != std::string::npos);
    machine.controller.system = "";
    BOOST_TEST(std::get<Refused>(on()).message.find("has 2 computers; bmc_system must name one") !=
               std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_controller_of_an_authority_that_nobody_named_gets_no_password, Rack) {
    const auto before = control("GET", "/-/calls").size();
    account.fields["ca_certificates"] = "";

    const auto waits = std::get<Pending>(on());

    BOOST_TEST(waits.reason.find("ca_certificates must hold the authority") != std::string::npos);
    BOOST_TEST(control("GET", "/-/calls").size() == before);
}

BOOST_FIXTURE_TEST_CASE(a_controller_on_this_host_is_out_of_reach_unless_the_setting_opens_it,
                        Rack) {
    const auto usual_client = http_client::make_curl_client();
    metal::RedfishPower usual(*usual_client);
    const auto before = control("GET", "/-/calls").size();

    const auto waits = std::get<Pending>(run(usual.look(account, machine)));

    BOOST_TEST(waits.reason.find("setting http.own_network") != std::string::npos);
    BOOST_TEST(control("GET", "/-/calls").size() == before);
}

BOOST_FIXTURE_TEST_CASE(a_controller_that_is_away_is_waited_for, Rack) {
    machine.controller.url = "https://127.0.0.1:1";

    BOOST_TEST(std::get<Pending>(on()).reason.find("does not answer") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
