#include "provisioner/providers/google/api.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/http_site.hpp"
#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;
using namespace provisioner::providers::google;

BOOST_AUTO_TEST_SUITE(google_api)

namespace {

/// Answers logins, and everything else with one body.
struct OneAnswer {
    OneAnswer() {
        client.answer = [this](const http_client::Request& request) {
            if (request.method == "POST") {
                return json_reply(200, Json{{"access_token", "t"}, {"expires_in", 3600}});
            }
            return reply_with(200, body);
        };
    }
    std::size_t count(const std::string& noun) {
        Call call;
        call.path = "aggregated/" + noun;
        return run(api.all(account, call, true, noun)).size();
    }
    std::size_t count() {
        Call call;
        call.path = "global/firewalls";
        return run(api.all(account, call)).size();
    }

    std::string body;
    providers::Account account = google_account();
    SetClock clock;
    AnsweringClient client;
    CloudTools tools{client, clock};
    Api api{tools};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_scope_that_could_not_be_read_is_no_scope_without_machines, OneAnswer) {
    body = R"({"kind": "compute#instanceAggregatedList", "items": {
        "zones/z-a": {"warning": {"code": "UNREACHABLE", "message": "zone z-a"}},
        "zones/z-b": {"instances": [{"name": "m"}]}}})";
    BOOST_CHECK_EXCEPTION(count("instances"), cloud::Lost, [](const cloud::Lost& lost) {
        return std::string(lost.what()) ==
               "Google could not list all instances: UNREACHABLE zone z-a";
    });

    body = R"({"kind": "compute#instanceAggregatedList", "unreachables": ["zones/z-a"],
        "items": {"zones/z-b": {"instances": [{"name": "m"}]}}})";
    BOOST_CHECK_EXCEPTION(count("instances"), cloud::Lost, [](const cloud::Lost& lost) {
        return std::string(lost.what()) ==
               "Google could not list all instances: zones/z-a is unreachable";
    });
}

BOOST_FIXTURE_TEST_CASE(a_scope_without_entries_says_so_by_a_warning, OneAnswer) {
    body = R"({"kind": "compute#instanceAggregatedList", "unreachables": [], "items": {
        "zones/z-a": {"warning": {"code": "NO_RESULTS_ON_PAGE", "message": "none"}},
        "zones/z-b": {"instances": [{"name": "m"}]}}})";
    BOOST_TEST(count("instances") == 1U);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_is_no_list_is_lost_and_no_empty_list, OneAnswer) {
    for (const char* odd : {"null", "{}", "[]", R"({"login": "please"})", R"({"kind": 1})"}) {
        body = odd;
        BOOST_CHECK_THROW(count("instances"), cloud::Lost);
        BOOST_CHECK_THROW(count(), cloud::Lost);
    }
    body = R"({"kind": "compute#firewallList"})";
    BOOST_TEST(count() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
