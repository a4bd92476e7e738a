#include "provisioner/providers/metal/redfish.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/utf8.hpp"

using namespace provisioner;
using namespace provisioner::providers::metal;

BOOST_AUTO_TEST_SUITE(redfish)

namespace {

const ControllerLogin login{
    .user = "admin", .password = base::Secret("s3cret:word"), .authorities = "PEM"};

/// As a Dell iDRAC answers, shortened.
constexpr auto idrac = R"({"@odata.id": "/redfish/v1/Systems/System.Embedded.1",
  "PowerState": "On",
  "Actions": {"#ComputerSystem.Reset": {
      "target": "/redfish/v1/Systems/System.Embedded.1/Actions/ComputerSystem.Reset",
      "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "ForceRestart", "GracefulShutdown"]}}})";

}  // namespace

BOOST_AUTO_TEST_CASE(requests_carry_the_login_and_whom_they_trust) {
    const auto get = get_request("https://10.0.1.1", "/redfish/v1/Systems/1", login);

    BOOST_TEST(get.method == "GET");
    BOOST_TEST(get.url == "https://10.0.1.1/redfish/v1/Systems/1");
    BOOST_TEST(get.authorities == "PEM");
    BOOST_TEST(get.headers.front().first == "Authorization");
    BOOST_TEST(get.headers.front().second == "Basic YWRtaW46czNjcmV0OndvcmQ=");
    BOOST_TEST(get.body == "");

    const auto reset = reset_request("https://10.0.1.1", "/reset", "On", login);
    BOOST_TEST(reset.method == "POST");
    BOOST_TEST(reset.url == "https://10.0.1.1/reset");
    BOOST_TEST(reset.body == R"({"ResetType":"On"})");
}

BOOST_AUTO_TEST_CASE(requests_must_not_lead_to_this_host) {
    BOOST_TEST(get_request("https://10.0.1.1", "/", login).forbids_own_network);
    BOOST_TEST(reset_request("https://10.0.1.1", "/", "On", login).forbids_own_network);
}

BOOST_AUTO_TEST_CASE(long_words_of_a_controller_are_cut_between_characters) {
    http_client::Reply reply;
    reply.status = 400;
    reply.body = R"({"error": {"message": ")" + std::string(399, 'x') + "\xC3\xA4\"}}";
    BOOST_TEST(failure_in(reply) == "HTTP status 400: " + std::string(399, 'x') + "...");
}

BOOST_AUTO_TEST_CASE(a_computer_says_its_power_and_what_switches_it) {
    const auto system = system_in(idrac);

    BOOST_REQUIRE(system.has_value());
    BOOST_TEST(system->power_state == "On");
    BOOST_TEST(system->reset_target ==
               "/redfish/v1/Systems/System.Embedded.1/Actions/ComputerSystem.Reset");
    BOOST_TEST(system->first_of({"GracefulShutdown", "ForceOff"}) == "GracefulShutdown");
    BOOST_TEST(system->first_of({"ForceOn", "On"}) == "On");
    BOOST_TEST(system->first_of({"PushPowerButton"}) == "");
    // Without a list of what it takes the first is tried.
    BOOST_TEST(ComputerSystem{}.first_of({"On", "ForceOn"}) == "On");
}

BOOST_AUTO_TEST_CASE(answers_that_are_no_computer_are_told) {
    BOOST_TEST(system_in("<html>").error() == "its answer is no JSON object");
    BOOST_TEST(system_in("[]").error() == "its answer is no JSON object");
    BOOST_TEST(system_in(R"({"PowerState": "On"})").error() ==
               "it is no computer that can be reset");
    BOOST_TEST(systems_in("{}").error() == "its list of computers has no Members");
}

BOOST_AUTO_TEST_CASE(a_target_elsewhere_never_gets_the_login) {
    for (const char* target :
         {"https://evil.example/reset", "//evil.example/reset", "reset", "", "/a b"}) {
        const std::string body =
            R"({"Actions": {"#ComputerSystem.Reset": {"target": ")" + std::string(target) + "\"}}}";
        BOOST_TEST(system_in(body).error() == "its reset has no target at the controller itself");
    }
    const auto paths = systems_in(
        R"({"Members": [{"@odata.id": "/redfish/v1/Systems/1"}, {"@odata.id": "https://evil"}]})");
    BOOST_TEST((*paths == std::vector<std::string>{"/redfish/v1/Systems/1"}));
}

BOOST_AUTO_TEST_CASE(a_failure_is_told_in_the_controllers_words) {
    BOOST_TEST(failure_in({.status = 400,
                           .headers = {},
                           .body = R"({"error": {"message": "See ExtendedInfo",
                               "@Message.ExtendedInfo": [{"Message": "The host is on."},
                                                         {"MessageId": "x"},
                                                         {"Message": "Wait."}]}})",
                           .error = {}}) == "HTTP status 400: The host is on. Wait.");
    BOOST_TEST(failure_in({.status = 500,
                           .headers = {},
                           .body = R"({"error": {"message": "short"}})",
                           .error = {}}) == "HTTP status 500: short");
    BOOST_TEST(failure_in({.status = 502, .headers = {}, .body = "<html>", .error = {}}) ==
               "HTTP status 502");
}

BOOST_AUTO_TEST_CASE(a_long_failure_is_cut_between_characters) {
    std::string umlauts;
    for (int i = 0; i < 300; ++i) umlauts += "\u00e4";

    const std::string failure =
        failure_in({.status = 500,
                    .headers = {},
                    .body = R"({"error": {"message": "x)" + umlauts + "\"}}",
                    .error = {}});

    BOOST_TEST(provisioner::base::is_utf8(failure));
    BOOST_TEST(failure.ends_with("\u00e4..."));
}

BOOST_AUTO_TEST_SUITE_END()
