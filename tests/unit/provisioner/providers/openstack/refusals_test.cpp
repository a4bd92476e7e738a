#include "provisioner/providers/openstack/refusals.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(openstack_refusals)

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::openstack;

http_client::Reply reply(int status, std::string body) {
    http_client::Reply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

/// "retry: " or "no: ", and the sentence.
std::string told(int status, const std::string& body) {
    try {
        throw_refusal(reply(status, body), "the server");
    } catch (const cloud::Refusal& refusal) {
        return (refusal.refused().worth_retrying ? "retry: " : "no: ") + refusal.refused().message;
    } catch (const cloud::Lost& lost) {
        return std::string("lost: ") + lost.what();
    }
}

// Answers of Nova 26, Neutron 21, Keystone 22 and Glance 25.
BOOST_AUTO_TEST_CASE(the_words_of_every_service_are_found) {
    BOOST_TEST(said(reply(403, R"({"forbidden": {"code": 403, "message": "no"}})")) == "no");
    BOOST_TEST(said(reply(409, R"({"NeutronError": {"type": "OverQuota", "message": "full",
        "detail": ""}})")) == "full");
    BOOST_TEST(said(reply(400, R"({"NeutronError": "plain"})")) == "plain");
    BOOST_TEST(said(reply(401, R"({"error": {"code": 401, "message": "who?", "title": "x"}})")) ==
               "who?");
    BOOST_TEST(said(reply(404, "<html><head>\n<title>404 Not Found</title></head></html>")) ==
               "404 Not Found");
    BOOST_TEST(said(reply(500, "")) == "");
    BOOST_TEST(said(reply(500, "[1, 2]")) == "");
}

BOOST_AUTO_TEST_CASE(quotas_are_worth_another_try_and_keep_their_numbers) {
    BOOST_TEST(told(403, R"({"forbidden": {"code": 403, "message": "Quota exceeded for instances: )"
                         R"(Requested 1, but already used 10 of 10 instances"}})") ==
               "retry: the quota of the project is used up: Quota exceeded for instances: "
               "Requested 1, but already used 10 of 10 instances");
    BOOST_TEST(told(409, R"({"NeutronError": {"type": "OverQuota", "message": "Quota exceeded for )"
                         R"(resources: ['port'].", "detail": ""}})")
                   .starts_with("retry: the quota"));
    BOOST_TEST(told(413, R"({"overLimit": {"code": 413, "message": "Quota exceeded for cores"}})")
                   .starts_with("retry: the quota"));
    BOOST_TEST(told(409, R"({"NeutronError": {"type": "IpAddressGenerationFailure", "message":
        "No more IP addresses available on network n.", "detail": ""}})")
                   .starts_with("retry: the network has no free address"));
}

BOOST_AUTO_TEST_CASE(what_time_does_not_change_is_not_tried_again) {
    BOOST_TEST(told(403, R"({"forbidden": {"code": 403, "message": "Policy doesn't allow )"
                         R"(os_compute_api:servers:create to be performed."}})") ==
               "no: the user may not do this (the server: Policy doesn't allow "
               "os_compute_api:servers:create to be performed.): it needs the role \"member\" in "
               "the project");
    BOOST_TEST(
        told(400, R"({"badRequest": {"code": 400, "message": "Flavor's disk is too small "}})")
            .starts_with("no: the server was refused (400): Flavor's disk is too small"));
    BOOST_TEST(told(406, R"({"computeFault": {"code": 406, "message": "Version 2.52 is not )"
                         R"(supported by the API. Minimum is 2.1 and maximum is 2.42."}})")
                   .starts_with("no: the cloud's Nova is too old"));
}

BOOST_AUTO_TEST_CASE(an_error_of_the_cloud_is_no_answer) {
    BOOST_TEST(
        told(500, R"({"computeFault": {"code": 500, "message": "Unexpected API Error."}})") ==
        "lost: the server failed (500): Unexpected API Error.");
    BOOST_TEST(told(503, "<title>503 Service Unavailable</title>") ==
               "lost: the server failed (503): 503 Service Unavailable");
}

BOOST_AUTO_TEST_CASE(a_security_group_that_is_gone_is_told_from_other_things) {
    BOOST_TEST(is_group_gone(reply(404, R"({"NeutronError": {"type": "SecurityGroupNotFound",
        "message": "Security group 7 does not exist", "detail": ""}})")));
    BOOST_TEST(is_group_gone(reply(400, R"({"badRequest": {"code": 400,
        "message": "Security group 7 not found."}})")));
    BOOST_TEST(!is_group_gone(reply(404, R"({"NeutronError": {"type": "NetworkNotFound",
        "message": "Network 7 could not be found.", "detail": ""}})")));
    BOOST_TEST(!is_group_gone(reply(400, R"({"badRequest": {"code": 400,
        "message": "Multiple security groups found matching 'x'. Use an ID."}})")));
    BOOST_TEST(!is_group_gone(reply(409, R"({"NeutronError": {"type": "SecurityGroupInUse",
        "message": "Security Group 7 in use.", "detail": ""}})")));
}

BOOST_AUTO_TEST_SUITE_END()
