#include "provisioner/providers/digitalocean/api.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/pages.hpp"
#include "tests/unit/provisioner/providers/cloud/scripted_line.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;
using namespace std::chrono_literals;
using base::Json;

BOOST_AUTO_TEST_SUITE(digitalocean_api)

struct Line : tests::ScriptedLine {
    Line() {
        account.provider_type = "digitalocean";
        account.fields["api_password"] = "dop_v1_secret";
    }
    Answer send(Call call) { return tests::run(api.send(account, std::move(call))); }
    Json all() { return tests::run(api.all(account, "/v2/x", "things", "x:read")); }
    std::string refusal(const char* scope = "droplet:create") {
        Call call;
        call.path = "/v2/droplets";
        call.scope = scope;
        try {
            send(std::move(call));
        } catch (const cloud::Refusal& refused) {
            return refused.what();
        }
        return "not refused";
    }

    Api api{tools};
};

std::string page(const std::string& things, int total, bool has_next) {
    return "{\"things\": " + things + ", \"links\": " +
           (has_next ? R"({"pages": {"next": "https://elsewhere.example/v2/x?page=2"}})" : "{}") +
           ", \"meta\": {\"total\": " + std::to_string(total) + "}}";
}

BOOST_AUTO_TEST_CASE(a_call_has_the_token_and_goes_to_digitalocean) {
    Line line;
    line.answers(204, "");
    Call call;
    call.method = "POST";
    call.path = "/v2/droplets";
    call.body = Json::object({{"name", "web"}});
    call.makes_droplet = true;

    BOOST_TEST(line.send(std::move(call)).is_good());

    const auto& request = line.client.requests.at(0);
    BOOST_TEST(request.url == "https://api.digitalocean.com/v2/droplets");
    BOOST_TEST(request.headers.at(0).second == "Bearer dop_v1_secret");
    BOOST_TEST(request.body == R"({"name":"web"})");
    BOOST_TEST(request.at_most_once);
}

BOOST_AUTO_TEST_CASE(the_account_is_named_by_a_fingerprint_of_its_token) {
    Line line;
    const std::string name = account_name_of(line.account);
    BOOST_TEST(name.starts_with("DigitalOcean, token "));
    BOOST_TEST(name.find("secret") == std::string::npos);
    line.account.fields["digitalocean_region"] = "nyc3";
    BOOST_TEST(account_name_of(line.account) == name);
    line.account.fields["api_password"] = "dop_v1_other";
    BOOST_TEST(account_name_of(line.account) != name);
}

BOOST_AUTO_TEST_CASE(pages_are_read_to_the_end_and_the_token_goes_nowhere_else) {
    Line line;
    line.answers(200, page("[1, 2]", 3, true));
    line.answers(200, page("[3]", 3, false));

    BOOST_TEST(base::to_text(line.all()) == "[1,2,3]");

    BOOST_TEST(line.client.requests.at(1).url ==
               "https://api.digitalocean.com/v2/x?per_page=200&page=2");
}

BOOST_AUTO_TEST_CASE(a_list_that_changes_between_two_pages_is_read_again) {
    Line line;
    line.answers(200, page("[1, 2]", 4, true));
    line.answers(200, page("[4]", 3, false));
    line.answers(200, page("[2, 3]", 3, true));
    line.answers(200, page("[4]", 3, false));

    BOOST_TEST(base::to_text(line.all()) == "[2,3,4]");
}

BOOST_AUTO_TEST_CASE(a_list_that_never_stands_still_is_waited_for) {
    Line line;
    for (int reading = 0; reading < 3; ++reading) {
        line.answers(200, page("[1, 2]", 4, true));
        line.answers(200, page("[4]", 3, false));
    }
    BOOST_CHECK_THROW(line.all(), cloud::NotYet);
}

BOOST_AUTO_TEST_CASE(a_list_without_an_end_is_given_up) {
    Line line;
    line.account.fields["calls_per_second"] = "1000";
    line.client.takes = std::chrono::milliseconds{1};
    for (int i = 0; i <= cloud::Pages::most_pages; ++i) line.answers(200, page("[1]", 1, true));
    BOOST_CHECK_EXCEPTION(line.all(), cloud::Lost, [](const cloud::Lost& lost) {
        return std::string(lost.what()).starts_with("the listing has no end");
    });
}

BOOST_AUTO_TEST_CASE(a_failure_that_is_no_json_is_not_quoted) {
    Line line;
    line.answers(500, "secret-of-another-service", {{"content-type", "text/plain"}});
    BOOST_CHECK_EXCEPTION(line.all(), cloud::Lost, [](const cloud::Lost& lost) {
        return std::string(lost.what()) == "GET /v2/x: status 500, text/plain";
    });
}

BOOST_AUTO_TEST_CASE(an_answer_without_its_list_is_no_answer) {
    Line line;
    line.answers(200, "{}");
    BOOST_CHECK_THROW(line.all(), cloud::Lost);
}

BOOST_AUTO_TEST_CASE(refusals_say_what_to_do) {
    Line line;
    line.answers(401, R"({"id": "Unauthorized", "message": "Unable to authenticate you"})");
    BOOST_TEST(line.refusal() ==
               "Provider credentials invalid/unauthorized: Unable to authenticate you");
    line.answers(403, R"({"id": "forbidden", "message": "You are not authorized"})");
    BOOST_TEST(line.refusal("firewall:read") ==
               "DigitalOcean: You are not authorized (the token in api_password needs the scope "
               "firewall:read)");
    line.answers(403, R"({"id": "forbidden", "message": "volume limit exceeded"})");
    BOOST_TEST(line.refusal() == "DigitalOcean: volume limit exceeded");
}

BOOST_AUTO_TEST_CASE(errors_of_the_server_and_pages_of_proxies_leave_open_what_happened) {
    for (const int status : {500, 502, 503, 504}) {
        Line line;
        line.answers(status, "<html>oops</html>");
        BOOST_CHECK_THROW(line.refusal(), cloud::Lost);
    }
    Line line;
    line.answers(200, "{\"droplet\": {\"id\": 7");
    BOOST_CHECK_THROW(line.refusal(), cloud::Lost);
}

BOOST_AUTO_TEST_CASE(errors_of_tags_have_another_form) {
    Answer answer;
    answer.status = 400;
    answer.body = *base::parse_json(R"({"error": "no such tag", "root_causes": []})");
    BOOST_TEST(answer.message() == "no such tag");
    answer.body = nullptr;
    BOOST_TEST(answer.message() == "status 400");
}

BOOST_AUTO_TEST_CASE(an_hour_that_is_nearly_used_up_slows_down_reading_only) {
    Line line;
    line.answers(204, "", {{"ratelimit-limit", "5000"}, {"ratelimit-remaining", "400"}});
    line.send({.method = "GET", .path = "/v2/droplets"});

    BOOST_CHECK_EXCEPTION(
        line.send({.method = "GET", .path = "/v2/droplets"}), cloud::NotYet,
        [](const cloud::NotYet& wait) { return wait.poll_in() > 4s && wait.poll_in() <= 5s; });
    line.answers(204, "");
    BOOST_TEST(
        line.send({.method = "POST", .path = "/v2/droplets", .makes_droplet = true}).status == 204);
}

BOOST_AUTO_TEST_CASE(an_hour_that_is_used_up_is_waited_out) {
    Line line;
    const auto reset = std::chrono::duration_cast<std::chrono::seconds>(
        (line.clock.now() + 40s).time_since_epoch());
    line.answers(204, "",
                 {{"ratelimit-limit", "5000"},
                  {"ratelimit-remaining", "0"},
                  {"ratelimit-reset", std::to_string(reset.count())}});
    line.send({.method = "GET", .path = "/v2/droplets"});

    for (const bool makes : {false, true}) {
        BOOST_CHECK_EXCEPTION(
            line.send({.method = "GET", .path = "/v2/droplets", .makes_droplet = makes}),
            cloud::NotYet, [](const cloud::NotYet& wait) { return wait.poll_in() > 30s; });
    }
}

BOOST_AUTO_TEST_CASE(lists_that_are_kept_are_read_once_in_a_while) {
    Line line;
    line.answers(200, page("[1]", 1, false));
    line.answers(200, page("[2]", 1, false));
    const auto lately = [&] {
        return base::to_text(
            tests::run(line.api.all_lately(line.account, "/v2/x", "things", "x:read")));
    };

    BOOST_TEST(lately() == "[1]");
    BOOST_TEST(lately() == "[1]");
    line.api.forget(line.account, "/v2/x");
    BOOST_TEST(lately() == "[2]");
    BOOST_TEST(line.client.requests.size() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
