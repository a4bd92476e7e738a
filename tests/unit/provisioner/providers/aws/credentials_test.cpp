#include "provisioner/providers/aws/credentials.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_credentials)

// Source:
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html
BOOST_AUTO_TEST_CASE(the_document_of_a_profile_is_read) {
    const auto profile = profile_credentials_in(R"({
        "Code" : "Success", "LastUpdated" : "2012-04-26T16:39:16Z", "Type" : "AWS-HMAC",
        "AccessKeyId" : "ASIAIOSFODNN7EXAMPLE", "SecretAccessKey" : "wJalrXUtnFEMI",
        "Token" : "token", "Expiration" : "2017-05-17T15:09:54Z"})");

    BOOST_REQUIRE(profile.has_value());
    BOOST_TEST(profile->credentials.access_key == "ASIAIOSFODNN7EXAMPLE");
    BOOST_TEST(profile->credentials.secret_key.reveal() == "wJalrXUtnFEMI");
    BOOST_TEST(profile->credentials.session.reveal() == "token");
    BOOST_TEST(
        std::chrono::duration_cast<std::chrono::seconds>(profile->expires_at.time_since_epoch())
            .count() == 1495033794);
}

BOOST_AUTO_TEST_CASE(a_document_without_credentials_has_none) {
    BOOST_TEST(!profile_credentials_in("").has_value());
    BOOST_TEST(!profile_credentials_in("not found").has_value());
    BOOST_TEST(!profile_credentials_in(R"({"Code": "AssumeRoleUnauthorizedAccess"})").has_value());
    BOOST_TEST(
        !profile_credentials_in(R"({"AccessKeyId": "A", "Expiration": "soon"})").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
