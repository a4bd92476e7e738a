#include "provisioner/providers/metal/redfish_power.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::metal;
using existing::SwitchAnswer;
using existing::Switched;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(redfish_power)

namespace {

/// A controller that answers what it is told to.
class Controller final : public http_client::Client {
 public:
    boost::asio::awaitable<http_client::Reply> send(http_client::Request request) override {
        asked.push_back(request.method + " " + request.url + " " + request.body);
        if (answers.empty()) throw std::logic_error("nobody expected " + asked.back());
        http_client::Reply reply = answers.front();
        answers.pop_front();
        co_return reply;
    }

    void answer(int status, const std::string& body = "", const std::string& error = "") {
        answers.push_back({.status = status, .headers = {}, .body = body, .error = error});
    }
    void is(const std::string& power) {
        answer(200, R"({"PowerState": ")" + power +
                        R"(", "Actions": {"#ComputerSystem.Reset": {"target": "/reset",
            "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "GracefulShutdown"]}}})");
    }

    std::deque<http_client::Reply> answers;
    std::vector<std::string> asked;
};

struct Board {
    Board() {
        account.fields = {{"bmc_user", "admin"}, {"bmc_password", "word"}};
        machine.name = "a";
        machine.controller = {.url = "https://10.0.1.1", .system = "/redfish/v1/Systems/1"};
    }

    static SwitchAnswer run(boost::asio::awaitable<SwitchAnswer> verb) {
        boost::asio::io_context loop{1};
        auto result = boost::asio::co_spawn(loop, std::move(verb), boost::asio::use_future);
        loop.run();
        return result.get();
    }
    SwitchAnswer on() { return run(power.on(account, machine)); }
    SwitchAnswer off(std::chrono::milliseconds waited = 0ms) {
        return run(power.off(account, machine, waited));
    }
    static std::string waits(const SwitchAnswer& answer) {
        return std::get<Pending>(answer).reason;
    }
    static std::string refuses(const SwitchAnswer& answer) {
        return std::get<Refused>(answer).message;
    }

    Controller controller;
    RedfishPower power{controller};
    Account account;
    inventory::ListedMachine machine;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_machine_that_is_off_is_switched_on_and_waited_for, Board) {
    controller.is("Off");
    controller.answer(204);
    BOOST_TEST(waits(on()) == "a is being switched on");
    controller.is("PoweringOn");
    BOOST_TEST(waits(on()) == "a is switched on");
    controller.is("On");
    BOOST_TEST(std::holds_alternative<Switched>(on()));

    BOOST_TEST((controller.asked == std::vector<std::string>{
                                        "GET https://10.0.1.1/redfish/v1/Systems/1 ",
                                        R"(POST https://10.0.1.1/reset {"ResetType":"On"})",
                                        "GET https://10.0.1.1/redfish/v1/Systems/1 ",
                                        "GET https://10.0.1.1/redfish/v1/Systems/1 ",
                                    }));
}

BOOST_FIXTURE_TEST_CASE(a_machine_is_asked_to_shut_down_and_forced_when_it_does_not, Board) {
    controller.is("On");
    controller.answer(204);
    BOOST_TEST(waits(off()) == "a is shutting down");
    controller.is("PoweringOff");
    BOOST_TEST(waits(off(1min)) == "a is shutting down");
    controller.is("On");
    controller.answer(204);
    BOOST_TEST(waits(off(4min)) == "a is being switched off");
    BOOST_TEST(controller.asked.at(1) ==
               R"(POST https://10.0.1.1/reset {"ResetType":"GracefulShutdown"})");
    BOOST_TEST(controller.asked.at(4) == R"(POST https://10.0.1.1/reset {"ResetType":"ForceOff"})");
    controller.is("Off");
    BOOST_TEST(std::holds_alternative<Switched>(off()));
}

BOOST_FIXTURE_TEST_CASE(what_may_pass_is_waited_for_and_the_rest_is_refused_in_words, Board) {
    const std::string who = "the controller of a at https://10.0.1.1";
    controller.answer(0, "", "Connection refused");
    BOOST_TEST(waits(on()) == who + " does not answer: Connection refused");
    controller.answer(0, "", "SSL certificate problem: self-signed certificate");
    BOOST_TEST(waits(on()) == who +
                                  " does not answer: SSL certificate problem: self-signed "
                                  "certificate (ca_certificates must hold the authority that "
                                  "signed it)");
    controller.answer(503);
    BOOST_TEST(waits(on()) == who + " is busy: HTTP status 503");
    controller.is("Off");
    controller.answer(409);
    BOOST_TEST(waits(on()) == who + " is busy: HTTP status 409");

    controller.answer(401);
    BOOST_TEST(refuses(on()) == who +
                                    " refuses the login (bmc_user and bmc_password, or "
                                    "bmc_logins): HTTP status 401");
    controller.is("Off");
    controller.answer(400);
    BOOST_TEST(refuses(on()) == who + " refuses: HTTP status 400");
    controller.answer(200, "<html>");
    BOOST_TEST(refuses(on()) == who + ", /redfish/v1/Systems/1: its answer is no JSON object");
    controller.is("Paused");
    BOOST_TEST(refuses(on()) ==
               "a is in power state \"Paused\", in which nobody knows how to switch it on");
    controller.answer(404);
    controller.answer(200, R"({"Members": [{"@odata.id": "/redfish/v1/Systems/Self"}]})");
    BOOST_TEST(refuses(on()) ==
               who + " has no /redfish/v1/Systems/1 (bmc_system); it has /redfish/v1/Systems/Self");
    controller.answer(200, R"({"PowerState": "Off", "Actions": {"#ComputerSystem.Reset":
        {"target": "/reset", "ResetType@Redfish.AllowableValues": ["PushPowerButton"]}}})");
    BOOST_TEST(refuses(on()) == who +
                                    " takes no reset of type On, ForceOn; it takes "
                                    "PushPowerButton");
}

BOOST_FIXTURE_TEST_CASE(a_controller_of_one_machine_needs_no_path, Board) {
    machine.controller.system = "";
    controller.answer(200, R"({"Members": [{"@odata.id": "/redfish/v1/Systems/Self"}]})");
    controller.is("On");
    BOOST_TEST(std::holds_alternative<Switched>(on()));
    BOOST_TEST(controller.asked.back() == "GET https://10.0.1.1/redfish/v1/Systems/Self ");

    controller.answer(200, R"({"Members": [{"@odata.id": "/a"}, {"@odata.id": "/b"}]})");
    BOOST_TEST(refuses(on()) ==
               "the controller of a at https://10.0.1.1 has 2 computers; "
               "bmc_system must name one: /a, /b");
}

BOOST_FIXTURE_TEST_CASE(a_machine_may_have_a_login_of_its_own, Board) {
    account.fields["bmc_logins"] = R"({"a": "root:pass:word"})";

    BOOST_TEST(login_of(account, machine).user == "root");
    BOOST_TEST(login_of(account, machine).password.reveal() == "pass:word");
    machine.name = "b";
    BOOST_TEST(login_of(account, machine).user == "admin");
    BOOST_TEST(power.problems_with(account).empty());
    for (const char* wrong : {"root:word", "[]", R"({"a": 1})", R"({"a": "root"})"}) {
        account.fields["bmc_logins"] = wrong;
        BOOST_TEST(power.problems_with(account).at(0).field == "bmc_logins");
    }
    account.fields = {{"bmc_password", "word"}};
    BOOST_TEST(power.problems_with(account).at(0).field == "bmc_user");
}

BOOST_FIXTURE_TEST_CASE(passwords_are_secret_fields, Board) {
    int secrets = 0;
    for (const auto& field : power.fields()) secrets += field.is_secret() ? 1 : 0;
    BOOST_TEST(secrets == 2);
}

BOOST_AUTO_TEST_SUITE_END()
