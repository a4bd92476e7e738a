#include "provisioner/providers/cloud/failures.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::providers::cloud;
using namespace std::chrono_literals;

namespace {

const base::Timestamp now = base::from_sql("2026-11-22 18:52:35");

http_client::Reply reply_with(const std::string& name, const std::string& value) {
    http_client::Reply reply;
    reply.status = 429;
    reply.headers = {{name, value}};
    return reply;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_form_of_an_answer_is_its_status_and_its_type_cut_between_characters) {
    http_client::Reply reply;
    reply.status = 502;
    BOOST_TEST(form_of(reply) == "status 502, no content type");
    reply.headers = {{"content-type", std::string(99, 'x') + "\xC3\xA4"}};
    BOOST_TEST(form_of(reply) == "status 502, " + std::string(99, 'x'));
}

BOOST_AUTO_TEST_CASE(retry_after_is_read_as_seconds_and_as_a_date_and_bounded) {
    BOOST_TEST((retry_after(reply_with("retry-after", "7"), now) == 7s));
    BOOST_TEST(
        (retry_after(reply_with("retry-after", "Sun, 22 Nov 2026 18:52:45 GMT"), now) == 10s));
    BOOST_TEST(
        (retry_after(reply_with("retry-after", "Sun, 22 Nov 2026 18:00:00 GMT"), now) == 0s));
    BOOST_TEST((retry_after(reply_with("retry-after", "999999999999"), now) == 1h));
    BOOST_TEST((retry_after(reply_with("retry-after", "soon"), now) == 0s));
    BOOST_TEST((retry_after(reply_with("date", "7"), now) == 0s));
}

BOOST_AUTO_TEST_CASE(ratelimit_reset_is_read_as_seconds_and_as_a_time_and_bounded) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
    const auto wait = [](const std::string& text) {
        return until_reset(reply_with("ratelimit-reset", text.c_str()), now);
    };
    BOOST_TEST((wait("7") == 7s));
    BOOST_TEST((wait(std::to_string(seconds.count() + 20)) == 20s));
    BOOST_TEST((wait(std::to_string(seconds.count() - 20)) == 1s));
    BOOST_TEST((wait("999999999999999999") == 1min));
    BOOST_TEST((wait("0") == 1s));
    BOOST_TEST((wait("soon") == 0s));
    BOOST_TEST((wait("") == 0s));
}

BOOST_AUTO_TEST_CASE(wrong_credentials_name_a_clock_that_is_wrong) {
    const auto exact = reply_with("date", "Sun, 22 Nov 2026 18:52:35 GMT");
    BOOST_TEST(wrong_credentials(exact, now, "signature mismatch").refused().message ==
               "Provider credentials invalid/unauthorized: signature mismatch");
    const auto behind = reply_with("date", "Sun, 22 Nov 2026 18:42:35 GMT");
    BOOST_TEST(
        wrong_credentials(behind, now, "").refused().message ==
        "Provider credentials invalid/unauthorized; the clock of the provisioner's machine is "
        "600 s ahead of the provider's, so signatures and tokens are refused: correct it");
    BOOST_TEST(wrong_credentials(exact, now, "").refused().nothing_created);
    BOOST_TEST(!wrong_credentials(exact, now, "").refused().worth_retrying);
}

BOOST_AUTO_TEST_CASE(of_a_very_long_listing_a_part_is_compared_of_names_that_are_about_as_long) {
    std::vector<std::string> names(50'000, "something-much-longer");
    names.insert(names.end(), 4'999, "nothing-1");
    names.emplace_back("debian-12");
    names.emplace_back("debian-13");

    BOOST_TEST(unknown_name("image", "debain-12", names) ==
               "there is no image \"debain-12\"; near: debian-12");
}

BOOST_AUTO_TEST_CASE(an_unknown_name_comes_with_those_that_are_near) {
    const std::vector<std::string> images{"debian-11", "debian-12", "ubuntu-22.04", "Rocky 9"};
    BOOST_TEST(unknown_name("image", "debain-12", images) ==
               "there is no image \"debain-12\"; near: debian-12, debian-11");
    BOOST_TEST(unknown_name("image", "rocky", images) ==
               "there is no image \"rocky\"; near: Rocky 9");
    BOOST_TEST(unknown_name("image", "windows", {"a", "b"}) ==
               "there is no image \"windows\"; there are a, b");
    BOOST_TEST(unknown_name("image", "x", {}) == "there is no image \"x\"");
}

BOOST_AUTO_TEST_CASE(words_of_a_cloud_fit_into_a_message_whatever_they_are) {
    BOOST_TEST(words_of("one\ntwo\x1b[31m") == "one two [31m");
    BOOST_TEST(words_of(std::string(2000, 'x')).size() == 500U);
    BOOST_TEST(words_of("\xff") == "\xEF\xBF\xBD");
}

BOOST_AUTO_TEST_CASE(names_that_we_make_are_asked_for_by_nobody) {
    BOOST_CHECK_NO_THROW(refuse_own_name("security_groups", "web"));
    BOOST_CHECK_NO_THROW(refuse_own_name("security_groups", "our-cooperage-group"));
    BOOST_CHECK_EXCEPTION(
        refuse_own_name("security_groups", "cooperage-01234567-00000002"), Refusal,
        [](const Refusal& refusal) {
            return std::string(refusal.what()).find("security_groups: \"cooperage-0123") !=
                   std::string::npos;
        });
}
