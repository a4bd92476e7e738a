#include "provisioner/providers/aws/errors.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/failures.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_errors)

namespace {

http_client::Reply error_reply(int status, const std::string& code, const std::string& message) {
    http_client::Reply reply;
    reply.status = status;
    reply.body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response><Errors><Error><Code>" +
                 code + "</Code><Message>" + message +
                 "</Message></Error></Errors><RequestID>ea966190-f9aa-478e-9ede-example</"
                 "RequestID></Response>";
    return reply;
}

/// The class of what is thrown, and its text.
std::string meaning(const http_client::Reply& reply) {
    const auto error = error_in(reply);
    BOOST_REQUIRE(error.has_value());
    try {
        throw_meaning(*error, "RunInstances", reply, base::Timestamp{});
    } catch (const cloud::Refusal& refusal) {
        BOOST_TEST(refusal.refused().nothing_created);
        return std::string(refusal.refused().worth_retrying ? "busy: " : "wrong: ") +
               refusal.what();
    } catch (const cloud::NoCapacity& none) {
        return std::string("no capacity: ") + none.what();
    } catch (const cloud::NotYet& wait) {
        return std::string("not yet: ") + wait.what();
    } catch (const cloud::Lost& unknown) {
        return std::string("lost: ") + unknown.what();
    }
}

std::string meaning(int status, const std::string& code, const std::string& message = "words") {
    return meaning(error_reply(status, code, message));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_is_no_error) {
    http_client::Reply reply;
    reply.status = 200;

    BOOST_TEST(!error_in(reply).has_value());
}

BOOST_AUTO_TEST_CASE(logins_that_are_refused_are_wrong_credentials) {
    for (const char* code : {"AuthFailure", "SignatureDoesNotMatch", "InvalidClientTokenId"}) {
        BOOST_TEST(meaning(401, code) ==
                   "wrong: Provider credentials invalid/unauthorized: words (" + std::string(code) +
                       ")");
    }
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_wrong_is_named_by_the_date_of_the_answer) {
    auto reply = error_reply(400, "RequestExpired", "Request has expired.");
    reply.headers = {{"date", "Thu, 01 Jan 1970 01:00:00 GMT"}};

    BOOST_TEST(meaning(reply).find("is 3600 s behind the provider's") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_missing_permission_names_the_action_and_hides_the_encoded_message) {
    BOOST_TEST(meaning(403, "UnauthorizedOperation",
                       "You are not authorized. Encoded authorization failure message: 4GIOHl") ==
               "wrong: the access key may not call ec2:RunInstances: add the action to its policy. "
               "AWS says: You are not authorized.");
}

BOOST_AUTO_TEST_CASE(quotas_keep_their_numbers_and_may_be_tried_again) {
    BOOST_TEST(meaning(400, "VcpuLimitExceeded", "your current vCPU limit of 32 allows") ==
               "busy: a quota of the account is used up: your current vCPU limit of 32 allows "
               "(VcpuLimitExceeded)");
    for (const char* code : {"InstanceLimitExceeded", "MaxSpotInstanceCountExceeded",
                             "VolumeLimitExceeded", "SecurityGroupLimitExceeded"}) {
        BOOST_TEST(meaning(400, code).starts_with("busy: a quota of the account is used up"));
    }
}

BOOST_AUTO_TEST_CASE(want_of_room_is_told_by_the_code_whatever_the_status) {
    for (const int status : {400, 500, 503}) {
        BOOST_TEST(meaning(status, "InsufficientInstanceCapacity") ==
                   "no capacity: words (InsufficientInstanceCapacity)");
    }
    BOOST_TEST(meaning(400, "Unsupported") == "no capacity: words (Unsupported)");
    BOOST_TEST(meaning(500, "Server.InsufficientInstanceCapacity").starts_with("no capacity"));
}

BOOST_AUTO_TEST_CASE(calls_too_many_are_throttled) {
    for (const char* code : {"RequestLimitExceeded", "Client.RequestLimitExceeded", "Throttling"}) {
        BOOST_TEST(error_in(error_reply(503, code, ""))->is_throttle());
        BOOST_TEST(meaning(503, code).starts_with("not yet: AWS asks to slow down"));
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_known_to_have_failed_is_lost) {
    for (const char* code : {"InternalError", "Unavailable", "ServiceUnavailable"}) {
        BOOST_TEST(meaning(503, code).starts_with("lost: AWS could not answer RunInstances"));
    }
    http_client::Reply page;
    page.status = 502;
    page.body = "<html>Bad gateway";
    BOOST_TEST(meaning(page).starts_with("lost: AWS could not answer RunInstances (status 502)"));
    page.status = 404;
    BOOST_TEST(meaning(page).starts_with("lost: "));
}

BOOST_AUTO_TEST_CASE(other_refusals_are_wrong_requests_in_the_words_of_aws) {
    BOOST_TEST(meaning(400, "InvalidParameterValue", "Invalid value &lt;x&gt;") ==
               "wrong: AWS refuses RunInstances: Invalid value <x> (InvalidParameterValue)");
    BOOST_TEST(meaning(400, "IdempotentInstanceTerminated")
                   .starts_with("busy: AWS refuses RunInstances for now"));
    BOOST_TEST(
        meaning(400, "PendingVerification").starts_with("busy: AWS refuses RunInstances for now"));
}

BOOST_AUTO_TEST_SUITE_END()
