#include "provisioner/contents/s3_contents.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(s3_settings)

namespace {

contents::S3Settings good() {
    return {.endpoint = "https://s3.example.com:9000",
            .bucket = "my-files",
            .region = "eu-central-1",
            .prefix = "cooperage/",
            .access_key = "AKIA",
            .secret_key = base::Secret("x/y+z")};
}

/// The first word of what is wrong when one of them is changed.
template <class Change>
std::string blamed(Change&& change) {
    contents::S3Settings settings = good();
    change(settings);
    const std::string problem = contents::problem_with(settings);
    return problem.substr(0, problem.find(' '));
}

}  // namespace

BOOST_AUTO_TEST_CASE(good_ones_have_no_problem) {
    BOOST_TEST(contents::problem_with(good()) == "");
    BOOST_TEST(blamed([](auto& s) { s.endpoint = "http://127.0.0.1"; }) == "");
    BOOST_TEST(blamed([](auto& s) { s.endpoint = "http://[::1]:9000"; }) == "");
    BOOST_TEST(blamed([](auto& s) { s.prefix = ""; }) == "");
}

BOOST_AUTO_TEST_CASE(the_wrong_one_is_blamed) {
    for (const char* endpoint : {"", "s3.example.com", "ftp://x", "https://", "https://x/y",
                                 "https://user@x", "https://x\r\ny"}) {
        BOOST_TEST(blamed([&](auto& s) { s.endpoint = endpoint; }) == "resources.s3.endpoint");
    }
    for (const char* bucket : {"", "a/b", "a b", "a?b"}) {
        BOOST_TEST(blamed([&](auto& s) { s.bucket = bucket; }) == "resources.s3.bucket");
    }
    BOOST_TEST(blamed([](auto& s) { s.region = "a:b"; }) == "resources.s3.region");
    BOOST_TEST(blamed([](auto& s) { s.region = ""; }) == "resources.s3.region");
    BOOST_TEST(blamed([](auto& s) { s.prefix = "/a"; }) == "resources.s3.prefix");
    BOOST_TEST(blamed([](auto& s) { s.prefix = "a b"; }) == "resources.s3.prefix");
    BOOST_TEST(blamed([](auto& s) { s.access_key = "a:b"; }) == "resources.s3.access_key");
    BOOST_TEST(blamed([](auto& s) { s.secret_key = base::Secret(); }) ==
               "resources.s3.secret_key_file");
    contents::S3Settings wrong = good();
    wrong.bucket = "";
    BOOST_CHECK_THROW(contents::S3Contents{wrong}, contents::PlaceError);
}

BOOST_AUTO_TEST_SUITE_END()
