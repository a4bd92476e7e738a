#include "provisioner/providers/cloudstack/replies.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers::cloudstack;
using providers::cloud::CloudMachine;
using providers::cloud::Lost;
using providers::cloud::NoCapacity;
using providers::cloud::Refusal;
using State = CloudMachine::State;

BOOST_AUTO_TEST_SUITE(cloudstack_replies)

http_client::Reply reply_of(int status, const std::string& body) {
    http_client::Reply reply;
    reply.status = status;
    reply.body = body;
    return reply;
}

http_client::Reply error_of(int code, const std::string& text) {
    const base::Json inner = {{"uuidList", base::Json::array()},
                              {"errorcode", code},
                              {"cserrorcode", 9999},
                              {"errortext", text}};
    base::Json body = base::Json::object();
    body["deployvirtualmachineresponse"] = inner;
    return reply_of(code, base::to_text(body));
}

std::string refusal_of(const http_client::Reply& reply) {
    try {
        refuse(reply, base::Timestamp{});
    } catch (const Refusal& refusal) {
        return refusal.what();
    }
}

// Recorded by libcloud (its fixture listVirtualMachines_default.json), shortened.
constexpr auto recorded = R"({ "listvirtualmachinesresponse" : { "virtualmachine" : [
    {"id":2600,"name":"test","displayname":"test","account":"fakeaccount","state":"Running",
     "zoneid":1,"securitygroup":[],"nic":[{"id":3891,"networkid":860,"netmask":"255.255.240.0",
     "gateway":"1.1.2.1","ipaddress":"1.1.1.116","traffictype":"Guest","type":"Virtual",
     "isdefault":true}],"tags":[{"key":"testkey","value":"testvalue"},{"key":"foo","value":"bar"}]},
    {"id":2601,"name":"test","displayname":"test","account":"fakeaccount","state":"Starting",
     "jobid":17147,"jobstatus":0,"nic":[{"id":3892,"networkid":860,"ipaddress":"1.1.1.203",
     "isdefault":true}]} ] } })";

BOOST_AUTO_TEST_CASE(a_recorded_listing_is_read) {
    const base::Json answer = answer_in(reply_of(200, recorded), {});
    const auto entries = entries_in(answer, "virtualmachine");

    const CloudMachine first = machine_in(entries.at(0));
    const CloudMachine second = machine_in(entries.at(1));

    BOOST_TEST(first.id == "2600");
    BOOST_TEST((first.state == State::running));
    BOOST_TEST(first.addresses.at("access_v4") == "1.1.1.116");
    BOOST_TEST(first.details["network"] == "860");
    BOOST_TEST(first.mark.installation == "");
    BOOST_TEST((second.state == State::starting));
    BOOST_TEST(entries_in(base::Json::object(), "virtualmachine").empty());
}

BOOST_AUTO_TEST_CASE(recorded_errors_come_with_status_200_too) {
    const auto reply = reply_of(200,
                                R"({ "deployvirtualmachineresponse" : {"errorcode" : 431,
                                "errortext" : "Unable to find service offering: 104"}  })");

    BOOST_CHECK_THROW(answer_in(reply, {}), Refusal);
    BOOST_TEST(refusal_of(reply) == "the provider refuses: Unable to find service offering: 104");
}

BOOST_AUTO_TEST_CASE(the_mark_is_that_of_the_tags_else_of_the_display_name) {
    const auto tagged = base::parse_json(R"({"id": "a", "state": "Running", "displayname": "mine",
        "tags": [{"key": "cooperage-installation", "value": "i"}, {"key": "cooperage-job", "value": "j"},
        {"key": "cooperage-machine", "value": "00000001-1001"}, {"key": "cooperage-task", "value": "7-1"}]})");
    const auto bare = base::parse_json(
        R"({"id": "b", "state": "Running", "displayname": "cooperage i 00000001 00000001-1002 8-2"})");

    const CloudMachine first = machine_in(*tagged);
    const CloudMachine second = machine_in(*bare);

    BOOST_TEST(first.mark.name == "00000001-1001");
    BOOST_TEST(first.mark.task == 7);
    BOOST_TEST(first.details["job"] == "j");
    BOOST_TEST(first.details["is_tagged"] == true);
    BOOST_TEST(second.mark.name == "00000001-1002");
    BOOST_TEST(second.mark.attempt == 2);
    BOOST_TEST(second.details["is_tagged"] == false);
}

BOOST_AUTO_TEST_CASE(a_public_address_is_where_to_log_in_and_the_default_card_where_to_listen) {
    const auto machine = base::parse_json(R"({"id": "a", "state": "Running",
        "publicip": "203.0.113.9", "nic": [{"ipaddress": "10.9.9.9", "isdefault": false},
        {"ipaddress": "10.1.1.5", "isdefault": true, "networkid": "n"}]})");

    const CloudMachine found = machine_in(*machine);

    BOOST_TEST(found.addresses.at("access_v4") == "203.0.113.9");
    BOOST_TEST(found.addresses.at("bind_v4") == "10.1.1.5");
    BOOST_TEST(found.details["network"] == "n");
}

BOOST_AUTO_TEST_CASE(every_state_is_known) {
    const std::vector<std::pair<std::string, State>> states{
        {"Starting", State::starting}, {"Running", State::running}, {"Migrating", State::running},
        {"Stopping", State::leaving},  {"Stopped", State::failed},  {"Error", State::failed},
        {"Expunging", State::leaving}, {"Destroyed", State::gone},  {"Restoring", State::starting},
        {"Unknown", State::starting}};
    for (const auto& [word, state] : states) {
        const base::Json machine = {{"id", "x"}, {"state", word}};
        BOOST_TEST((machine_in(machine).state == state), word);
    }
}

BOOST_AUTO_TEST_CASE(errors_become_sentences) {
    BOOST_TEST(refusal_of(error_of(401, "unable to verify user credentials")) ==
               "Provider credentials invalid/unauthorized: unable to verify user credentials");
    BOOST_TEST(refusal_of(error_of(431, "User data is empty.")) ==
               "the provider refuses: User data is empty.");
    BOOST_TEST(refusal_of(error_of(432, "does not exist")) ==
               "the account may not do this: does not exist");
    BOOST_TEST(refusal_of(error_of(531, "only root")) == "the account may not do this: only root");
    BOOST_TEST(refusal_of(error_of(534, "down")) == "the provider refuses for now: down");
    BOOST_TEST(refusal_of(error_of(535, "Maximum amount of resources")) ==
               "the account's quota is used up: Maximum amount of resources");
    BOOST_TEST(refusal_of(reply_of(404, "<html>")) == "the provider refuses: status 404");
}

BOOST_AUTO_TEST_CASE(room_and_failures_are_told_apart) {
    BOOST_CHECK_THROW(refuse(error_of(533, "Insufficient capacity"), {}), NoCapacity);
    BOOST_CHECK_THROW(refuse(error_of(530, "Internal error"), {}), Lost);
    BOOST_CHECK_THROW(refuse(reply_of(503, ""), {}), Lost);
    BOOST_CHECK_THROW(answer_in(reply_of(200, "<html>"), {}), Lost);
    BOOST_CHECK_THROW(answer_in(reply_of(200, "[]"), {}), Lost);
}

BOOST_AUTO_TEST_CASE(texts_of_errors_tell_what_is_gone_taken_or_forbidden) {
    BOOST_TEST(is_unknown(trouble_in(error_of(431, "Unable to find a virtual machine with id 1"))));
    BOOST_TEST(is_unknown(trouble_in(error_of(
        431,
        "Invalid parameter id value=1 due to incorrect long value format, or entity does not "
        "exist or due to incorrect parameter annotation for the field in api cmd class."))));
    BOOST_TEST(!is_unknown(trouble_in(error_of(431, "User data is empty."))));
    BOOST_TEST(is_taken_name(trouble_in(error_of(
        431, "The vm with hostName a already exists in the network domain: b; network=c"))));
    BOOST_TEST(is_expunge_forbidden(
        trouble_in(error_of(531,
                            "Parameter expunge can be passed by Admin only. Or when the "
                            "allow.user.expunge.recover.vm key is set."))));
}

BOOST_AUTO_TEST_CASE(a_job_tells_why_it_failed) {
    const auto failed = base::parse_json(R"({"jobstatus": 2, "jobresultcode": 530, "jobresult":
        {"errorcode": 533, "errortext": "Unable to create a deployment"}})");
    const auto in_words = base::parse_json(R"({"jobstatus": 2, "jobresult": "broken"})");
    const auto runs = base::parse_json(R"({"jobstatus": 0})");

    BOOST_TEST(failure_of(*failed) == "Unable to create a deployment");
    BOOST_TEST(failure_of(*in_words) == "broken");
    BOOST_TEST(failure_of(*runs) == "");
}

BOOST_AUTO_TEST_CASE(names_that_occur_twice_are_offered_by_id) {
    const auto answer = base::parse_json(R"({"template": [{"id": "1", "name": "debian"},
        {"id": "2", "name": "debian"}, {"id": "3", "name": "fedora"}]})");
    const auto known = named_in(*answer, "template");

    const auto choices = choices_of(known);

    BOOST_TEST(choices.at(0).value == "1");
    BOOST_TEST(choices.at(2).value == "fedora");
    BOOST_TEST(find_named("template", "fedora", known).id == "3");
    BOOST_CHECK_THROW(find_named("template", "suse", known), Refusal);
}

BOOST_AUTO_TEST_CASE(a_security_group_that_is_gone_is_told_from_other_things) {
    const std::string form =
        " due to incorrect long value format, or entity does not exist or due to incorrect "
        "parameter annotation for the field in api cmd class.";

    BOOST_TEST(
        is_unknown_group({.code = 431, .text = "Invalid parameter securitygroupids" + form}));
    BOOST_TEST(is_unknown_group({.code = 431, .text = "Unable to find security group by id 7"}));
    BOOST_TEST(!is_unknown_group({.code = 431, .text = "Invalid parameter templateid" + form}));
    BOOST_TEST(!is_unknown_group({.code = 431, .text = "the security group is full"}));
}

BOOST_AUTO_TEST_SUITE_END()
