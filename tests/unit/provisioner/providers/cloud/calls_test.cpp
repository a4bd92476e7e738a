#include "provisioner/providers/cloud/calls.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;
using namespace std::chrono_literals;

namespace {

class FakeClient final : public http_client::Client {
 public:
    boost::asio::awaitable<http_client::Reply> send(http_client::Request) override {
        ++sent;
        co_return reply;
    }
    http_client::Reply reply;
    int sent = 0;
};

struct CallSite {
    CallSite() { client.reply.status = 200; }
    http_client::Reply send() { return tests::run(calls.send(lane, {})); }

    tests::SetClock clock;
    FakeClient client;
    LocalRateLimits limits{clock};
    Calls calls{client, limits, clock};
    Lane lane{.account = "a", .kind = "create", .per_second = 0.5, .burst = 2};
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_lane_that_is_used_up_is_left_to_the_queue_and_nothing_is_sent) {
    CallSite site;
    site.send();
    site.send();
    BOOST_CHECK_EXCEPTION(site.send(), NotYet,
                          [](const NotYet& wait) { return wait.poll_in() == 1500ms; });
    BOOST_TEST(site.client.sent == 2);
}

BOOST_AUTO_TEST_CASE(a_task_that_comes_back_from_the_queue_when_it_was_told_to_has_its_turn) {
    CallSite site;
    site.send();
    site.send();
    std::chrono::milliseconds told{0};
    try {
        site.send();
    } catch (const NotYet& wait) {
        told = wait.poll_in();
    }
    site.clock.moment += told;
    BOOST_TEST((site.limits.take_now(site.lane, Calls::longest_wait) <= Calls::longest_wait));
}

BOOST_AUTO_TEST_CASE(a_cloud_that_asks_to_slow_down_is_obeyed_by_all_calls_of_the_lane) {
    for (const int status : {429, 420, 413, 503}) {
        CallSite site;
        site.lane.kind = "read";
        site.client.reply.status = status;
        site.client.reply.headers = {{"retry-after", "9"}};
        BOOST_CHECK_EXCEPTION(site.send(), NotYet,
                              [](const NotYet& wait) { return wait.poll_in() == 9s; });
        BOOST_CHECK_EXCEPTION(site.send(), NotYet,
                              [](const NotYet& wait) { return wait.poll_in() == 8500ms; });
        BOOST_TEST(site.client.sent == 1);
        site.clock.moment += 9s;
        site.client.reply.status = 200;
        BOOST_TEST(site.send().status == 200);
    }
}

BOOST_AUTO_TEST_CASE(an_overloaded_cloud_may_have_made_what_was_asked_for) {
    CallSite site;
    site.client.reply.status = 503;
    site.client.reply.headers = {{"retry-after", "9"}};
    BOOST_CHECK_THROW(site.send(), Lost);
    BOOST_CHECK_EXCEPTION(site.send(), NotYet,
                          [](const NotYet& wait) { return wait.poll_in() == 8500ms; });
    BOOST_TEST(site.client.sent == 1);
}

BOOST_AUTO_TEST_CASE(a_cloud_that_says_only_when_calls_are_allowed_again_is_obeyed) {
    CallSite site;
    site.client.reply.status = 429;
    site.client.reply.headers = {{"ratelimit-reset", "30"}};
    BOOST_CHECK_EXCEPTION(site.send(), NotYet,
                          [](const NotYet& wait) { return wait.poll_in() == 30s; });
}

BOOST_AUTO_TEST_CASE(a_lane_that_is_eased_waits_before_the_cloud_says_so) {
    CallSite site;
    tests::run([&]() -> boost::asio::awaitable<int> {
        co_await site.calls.ease(site.lane, 9s);
        co_return 0;
    }());
    BOOST_CHECK_EXCEPTION(site.send(), NotYet,
                          [](const NotYet& wait) { return wait.poll_in() == 8500ms; });
    BOOST_TEST(site.client.sent == 0);
}

BOOST_AUTO_TEST_CASE(statuses_that_ask_for_nothing_are_answers) {
    for (const int status : {400, 401, 403, 404, 409, 413, 500, 503}) {
        CallSite site;
        site.client.reply.status = status;
        BOOST_TEST(site.send().status == status);
    }
}

BOOST_AUTO_TEST_CASE(no_answer_is_no_refusal) {
    CallSite site;
    site.client.reply.status = 0;
    site.client.reply.error = "timed out";
    BOOST_CHECK_THROW(site.send(), Lost);
}

BOOST_AUTO_TEST_CASE(tokens_are_kept_until_a_minute_before_they_expire) {
    Tokens tokens;
    const base::Timestamp now{5000s};
    tokens.keep("a", {.text = base::Secret(std::string("t")), .expires_at = now + 61s});
    BOOST_TEST(tokens.find("a", now).has_value());
    BOOST_TEST(!tokens.find("a", now + 2s).has_value());
    BOOST_TEST(!tokens.find("b", now).has_value());
    tokens.forget("a");
    BOOST_TEST(!tokens.find("a", now).has_value());
}

BOOST_AUTO_TEST_CASE(a_page_of_a_proxy_and_a_cut_off_body_are_no_answers) {
    for (const std::string body : {"<html>502</html>", "{\"servers\": [{\"id\":", ""}) {
        http_client::Reply reply;
        reply.status = 200;
        reply.body = body;
        BOOST_CHECK_THROW(json_in(reply), Lost);
        BOOST_CHECK_THROW(json_in(reply, {"image"}), Lost);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_not_quoted) {
    http_client::Reply reply;
    reply.status = 200;
    reply.headers = {{"content-type", "text/plain"}};
    reply.body = "ami-id\nsecret-of-another-service";
    BOOST_CHECK_EXCEPTION(json_in(reply), Lost, [](const Lost& lost) {
        return std::string(lost.what()) ==
               "the provider's answer is not JSON (status 200, text/plain)";
    });
}

BOOST_AUTO_TEST_CASE(all_but_unreserved_characters_are_percent_encoded) {
    BOOST_TEST(percent_encoded("aZ9-._~") == "aZ9-._~");
    BOOST_TEST(percent_encoded("a b*/ä") == "a%20b%2A%2F%C3%A4");
}

BOOST_AUTO_TEST_CASE(members_that_nobody_needs_are_left_out_at_any_depth) {
    http_client::Reply reply;
    reply.body = R"({"droplets": [{"id": 7, "image": {"id": 8}, "tags": ["image"]}], "image": 1})";
    BOOST_TEST(base::to_text(json_in(reply, {"image"})) ==
               R"({"droplets":[{"id":7,"tags":["image"]}]})");
    BOOST_TEST(json_in(reply)["droplets"][0]["image"]["id"] == 8);
}
