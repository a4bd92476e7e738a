#include "provisioner/providers/joyent/replies.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers::joyent;
using provisioner::providers::cloud::CloudMachine;
using provisioner::providers::cloud::Lost;
using provisioner::providers::cloud::NoCapacity;
using provisioner::providers::cloud::Refusal;
using State = CloudMachine::State;

BOOST_AUTO_TEST_SUITE(joyent_replies)

http_client::Reply reply_of(int status, std::string code, std::string message) {
    http_client::Reply reply;
    reply.status = status;
    const base::Json body = {{"code", code}, {"message", message}};
    reply.body = base::to_text(body);
    return reply;
}

std::string refusal_of(const http_client::Reply& reply) {
    try {
        refuse(reply, base::Timestamp{});
    } catch (const Refusal& refusal) {
        return refusal.what();
    }
}

// From the documentation of CloudAPI: the answer to CreateMachine, and to GetMachine a while later.
constexpr auto created = R"({"id": "e8622950-af78-486c-b682-dd147c938dc6", "name": "e8622950",
    "type": "smartmachine", "brand": "joyent", "state": "provisioning",
    "image": "2b683a82-a066-11e3-97ab-2faa44701c5a", "ips": [], "memory": 128, "disk": 12288,
    "metadata": {"root_authorized_keys": "..."}, "tags": {"cooperage-installation": "i",
    "cooperage-machine": "00000001-1001", "cooperage-task": "10-2", "count": 3, "isit": true},
    "created": "2016-01-21T12:57:52.759Z", "updated": "2016-01-21T12:57:52.979Z", "networks": [],
    "firewall_enabled": false, "compute_node": null, "package": "sdc_128"})";
constexpr auto running = R"({"id": "b6979942-7d5d-4fe6-a2ec-b812e950625a", "name": "test",
    "type": "smartmachine", "brand": "joyent", "state": "running",
    "ips": ["10.88.88.26", "192.168.128.5", "72.2.118.9"], "memory": 128, "tags": {},
    "primaryIp": "10.88.88.26", "package": "sdc_128"})";

BOOST_AUTO_TEST_CASE(a_machine_is_read_as_it_boots_and_as_it_runs) {
    const CloudMachine early = machine_in(*base::parse_json(created));
    const CloudMachine late = machine_in(*base::parse_json(running));

    BOOST_TEST(early.id == "e8622950-af78-486c-b682-dd147c938dc6");
    BOOST_TEST((early.state == State::starting));
    BOOST_TEST(early.addresses.empty());
    BOOST_TEST(early.mark.name == "00000001-1001");
    BOOST_TEST(early.mark.task == 10);
    BOOST_TEST(early.mark.attempt == 2);
    BOOST_TEST((late.state == State::running));
    BOOST_TEST(late.addresses.at("access_v4") == "72.2.118.9");
    BOOST_TEST(late.addresses.at("bind_v4") == "72.2.118.9");
}

BOOST_AUTO_TEST_CASE(every_state_is_known) {
    const std::vector<std::pair<std::string, State>> states{
        {"provisioning", State::starting}, {"running", State::running},
        {"stopping", State::leaving},      {"stopped", State::failed},
        {"failed", State::failed},         {"deleted", State::gone},
        {"offline", State::starting},      {"ready", State::starting},
        {"unknown", State::starting}};
    for (const auto& [word, state] : states) {
        const base::Json machine = {{"id", "x"}, {"state", word}};
        BOOST_TEST((machine_in(machine).state == state), word);
    }
}

BOOST_AUTO_TEST_CASE(the_first_open_address_is_taken_else_the_first_one) {
    BOOST_TEST(access_address({}) == "");
    BOOST_TEST(access_address({"dhcp"}) == "");
    BOOST_TEST(access_address({"172.16.3.4", "192.168.1.2"}) == "172.16.3.4");
    BOOST_TEST(access_address({"172.31.255.255", "172.32.0.1"}) == "172.32.0.1");
    BOOST_TEST(access_address({"fd00::1", "10.0.0.1"}) == "10.0.0.1");
}

BOOST_AUTO_TEST_CASE(errors_become_sentences) {
    BOOST_TEST(refusal_of(reply_of(409, "InvalidArgument", "Invalid Networks")) ==
               "the provider refuses: Invalid Networks");
    BOOST_TEST(refusal_of(reply_of(409, "MissingParameter", "package must be specified")) ==
               "the provider refuses: package must be specified");
    BOOST_TEST(refusal_of(reply_of(401, "InvalidCredentials", "no")) ==
               "Provider credentials invalid/unauthorized: no");
    BOOST_TEST(refusal_of(reply_of(449, "InvalidVersion", "~6.5 is not supported")) ==
               "joyent_version: the API does not speak this version: ~6.5 is not supported");
    BOOST_TEST(refusal_of(reply_of(403, "NotAuthorized", "no permission")) ==
               "the user of the provider may not do this: no permission");
    BOOST_TEST(refusal_of(reply_of(403, "QuotaExceeded", "Quota exceeded; to have")) ==
               "the account's quota is used up: Quota exceeded; to have");
    http_client::Reply page;
    page.status = 413;
    page.body = "<html>";
    BOOST_TEST(refusal_of(page) == "the provider refuses: status 413");
}

BOOST_AUTO_TEST_CASE(a_clock_is_blamed_when_it_is_wrong) {
    auto reply = reply_of(400, "InvalidHeader",
                          "Authorization header invalid: clock skew of 400s was greater than 300s");
    reply.headers = {{"date", "Thu, 01 Jan 1970 00:06:40 GMT"}};

    BOOST_TEST(refusal_of(reply).find("400 s behind the provider's") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_room_is_told_apart_by_code_and_by_words) {
    BOOST_CHECK_THROW(refuse(reply_of(503, "InsufficientCapacity", "none"), {}), NoCapacity);
    BOOST_CHECK_THROW(
        refuse(reply_of(409, "ValidationFailed",
                        "Invalid VM parameters: Insufficient capacity in datacenter to provision"),
               {}),
        NoCapacity);
}

BOOST_AUTO_TEST_CASE(failures_of_the_cloud_leave_the_result_unknown) {
    BOOST_CHECK_THROW(refuse(reply_of(500, "InternalError", "broken"), {}), Lost);
    BOOST_CHECK_THROW(refuse(reply_of(503, "ServiceUnavailable", "maintenance"), {}), Lost);
    BOOST_CHECK_THROW(machines_in(base::Json::object()), Lost);
    http_client::Reply cut;
    cut.status = 200;
    cut.body = "[{\"id\":";
    BOOST_CHECK_THROW(answer_in(cut, {}), Lost);
}

BOOST_AUTO_TEST_CASE(names_are_found_by_id_name_and_version_and_the_latest_wins) {
    const auto images = named_in(*base::parse_json(R"([
        {"id": "a", "name": "debian", "version": "1", "published_at": "2023-01-01T00:00:00Z"},
        {"id": "b", "name": "debian", "version": "2", "published_at": "2024-01-01T00:00:00Z"}])"));

    BOOST_TEST(id_of("image", "debian", images) == "b");
    BOOST_TEST(id_of("image", "debian@1", images) == "a");
    BOOST_TEST(id_of("image", "a", images) == "a");
    BOOST_CHECK_THROW(id_of("image", "fedora", images), Refusal);
    BOOST_TEST(choices_of(images).at(0).label == "debian 1");
}

BOOST_AUTO_TEST_SUITE_END()
