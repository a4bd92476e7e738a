#include "fcgi/refusal_log.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using namespace std::chrono_literals;
using provisioner::base::Timestamp;
using provisioner::model::audit::Event;
using provisioner::model::audit::Outcome;

BOOST_AUTO_TEST_SUITE(refusal_log)

namespace {

http::Request a_request(const std::string& method = "POST") {
    http::Request request;
    request.method = method;
    request.path = "/v2/clusters";
    request.id = "4cdd7f8c";
    request.client = "192.0.2.1";
    return request;
}

http::Request by_ann(const std::string& method = "POST") {
    http::Request request = a_request(method);
    provisioner::model::Caller caller;
    caller.user.id.value = 3;
    caller.user.name = "ann";
    caller.tenant.id.value = 7;
    caller.client = request.client;
    request.asker = caller;
    return request;
}

const Route clusters{.method = "POST", .pattern = "/v2/clusters", .need = auth::Need::user};

Event an_event(const std::string& name = "x") {
    Event event;
    event.actor.request = "first";
    event.object.name = name;
    event.reason = "No.";
    return event;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_refusal_of_somebody_known_is_in_the_chain_of_their_tenant) {
    const auto event = refusal_event(by_ann(), &clusters, http::text(403, "Forbidden."));

    BOOST_REQUIRE(event.has_value());
    BOOST_TEST(event->chain.value == 7);
    BOOST_TEST(event->actor.name == "ann");
    BOOST_TEST(event->actor.client == "192.0.2.1");
    BOOST_TEST(event->action == "request.refused");
    BOOST_TEST((event->outcome == Outcome::refused));
    BOOST_TEST(event->status == 403);
    BOOST_TEST(event->object.name == "POST /v2/clusters");
    BOOST_TEST(event->reason == "Forbidden.");
}

BOOST_AUTO_TEST_CASE(a_refusal_of_nobody_known_has_the_names_that_were_claimed) {
    http::Request request = a_request("GET");
    request.headers["coopr-userid"] = "bob" + std::string(1000, '\xc3');
    request.headers["coopr-tenantid"] = "acme";

    const auto event = refusal_event(request, &clusters, http::text(401, "Coopr-ApiKey"));

    BOOST_REQUIRE(event.has_value());
    BOOST_TEST(event->chain.value == 0);
    BOOST_TEST(event->actor.user.value == 0);
    BOOST_TEST(event->actor.name.starts_with("bob"));
    BOOST_TEST(event->actor.name.size() <= 255U);
    BOOST_TEST(event->actor.tenant == "acme");
}

BOOST_AUTO_TEST_CASE(only_changes_that_were_refused_are_events) {
    const auto is_event = [](const http::Request& request, const Route* route, int status) {
        return refusal_event(request, route, http::text(status, "")).has_value();
    };
    Route preview = clusters;
    preview.only_reads = true;
    Route login = clusters;
    login.need = auth::Need::nobody;

    for (const int status : {400, 404, 409, 422, 500, 503}) {
        BOOST_TEST(is_event(by_ann(), &clusters, status));
        BOOST_TEST(!is_event(by_ann("GET"), &clusters, status));
        BOOST_TEST(!is_event(by_ann(), &preview, status));
        BOOST_TEST(!is_event(a_request(), &login, status));
        BOOST_TEST(!is_event(a_request(), nullptr, status));
    }
    for (const int status : {200, 201, 303, 304, 405}) {
        BOOST_TEST(!is_event(by_ann(), &clusters, status));
    }
    BOOST_TEST(is_event(a_request("GET"), &clusters, 404));
    BOOST_TEST(is_event(by_ann("GET"), &clusters, 429));
    BOOST_TEST(
        (refusal_event(by_ann(), &clusters, http::text(500, ""))->outcome == Outcome::failed));
}

// What is another tenant's is "not found", as what is nowhere.
BOOST_AUTO_TEST_CASE(whoever_tries_ids_is_recorded) {
    const Route one{.method = "GET", .pattern = "/v2/clusters/{id}", .need = auth::Need::user};
    const Route named{.method = "GET", .pattern = "/v2/services/{name}", .need = auth::Need::user};
    const auto missing = http::text(404, "cluster 00000777 not found.");

    BOOST_TEST(refusal_event(by_ann("GET"), &one, missing).value().chain.value == 7);
    BOOST_TEST(!refusal_event(by_ann("GET"), &named, missing).has_value());
    BOOST_TEST(!refusal_event(by_ann("GET"), &one, http::text(400, "")).has_value());
}

BOOST_AUTO_TEST_CASE(a_mistyped_form_is_no_event_and_a_forbidden_one_has_its_reason) {
    const Route people{.method = "POST", .pattern = "/people", .need = auth::Need::admin};
    auto request = by_ann();
    request.path = "/people";
    const auto event_of = [&](int status) {
        auto page = http::html(status, "<p>No.</p>");
        page.sentence = "This page is for administrators.";
        return refusal_event(request, &people, page);
    };

    for (const int status : {400, 409, 422}) BOOST_TEST(!event_of(status).has_value(), status);
    BOOST_TEST(event_of(500).has_value());
    BOOST_TEST(event_of(403).value().reason == "This page is for administrators.");
}

BOOST_AUTO_TEST_CASE(a_refusal_that_says_only_forbidden_names_the_right_that_was_lacking) {
    const Route tenants{.method = "POST", .pattern = "/tenants", .need = auth::Need::superadmin};
    const auto reason_of = [&](const http::Response& response) {
        return refusal_event(by_ann(), &tenants, response).value().reason;
    };
    auto page = http::html(403, "<p>No.</p>");

    BOOST_TEST(reason_of(page) == "The role user lacks the right to administer the installation.");
    BOOST_TEST(reason_of(http::empty(403)) == reason_of(page));
    page.refusal = "This price list is not yours to change.";
    BOOST_TEST(reason_of(page) == page.refusal);
}

// They see everything, and a bookmark of another tenant's cluster only leads to a view of it.
BOOST_AUTO_TEST_CASE(a_superadmin_who_asks_for_an_id_tries_nothing) {
    const Route one{.method = "GET", .pattern = "/clusters/{id}", .need = auth::Need::user};
    auto request = by_ann("GET");
    request.asker->user.role = provisioner::model::Role::superadmin;
    request.asker->tenant.name = provisioner::model::superadmin_tenant;

    BOOST_TEST(!refusal_event(request, &one, http::text(404, "")).has_value());
    BOOST_TEST(refusal_event(by_ann("GET"), &one, http::text(404, "")).has_value());
}

BOOST_AUTO_TEST_CASE(a_dead_link_in_a_view_is_not_in_the_log_of_the_tenant) {
    auto request = by_ann("GET");
    request.is_of_view = true;
    BOOST_TEST(!refusal_event(request, &clusters, http::text(403, "")).has_value());
    BOOST_TEST(refusal_event(request, &clusters, http::text(429, "")).has_value());

    request.method = "POST";
    BOOST_TEST(refusal_event(request, &clusters, http::text(403, "")).has_value());
}

BOOST_AUTO_TEST_CASE(a_wrong_token_is_recorded_without_it_and_folded_by_address) {
    const Route metrics = with_token(
        {.method = "GET", .pattern = "/metrics", .need = auth::Need::nobody, .is_anonymous = true});
    Route open = metrics;
    open.takes_a_token = false;
    http::Request request = a_request("GET");
    request.path = "/metrics";
    const auto event_of = [&](const Route& route, int status) {
        return refusal_event(request, &route, http::text(status, "Not Found"));
    };
    BOOST_TEST(!event_of(metrics, 404).has_value());

    request.headers["authorization"] = "Bearer a guess";
    const auto event = event_of(metrics, 404);
    BOOST_REQUIRE(event.has_value());
    BOOST_TEST(event->action == "request.refused");
    BOOST_TEST(event->chain.value == 0);
    BOOST_TEST(event->actor.client == "192.0.2.1");
    BOOST_TEST(event->object.name == "GET /metrics");
    BOOST_TEST(event->reason == "The token is wrong.");
    BOOST_TEST(event_of(metrics, 429).has_value());
    BOOST_TEST(!event_of(metrics, 200).has_value());
    BOOST_TEST(!event_of(open, 404).has_value());

    const auto kind = kind_of(request, &metrics, *event);
    request.headers["authorization"] = "Bearer another guess";
    BOOST_TEST((kind_of(request, &metrics, event_of(metrics, 404).value()) == kind));
    request.client = "192.0.2.2";
    BOOST_TEST((kind_of(request, &metrics, event_of(metrics, 404).value()) != kind));
}

BOOST_AUTO_TEST_CASE(names_that_are_only_claimed_make_no_kinds) {
    http::Request first = a_request();
    first.headers["coopr-userid"] = "bob";
    http::Request second = a_request();
    second.headers["coopr-userid"] = "eve";
    second.path = "/v2/clusters/other";
    const auto kind = [](const http::Request& request) {
        const auto event = refusal_event(request, &clusters, http::text(401, ""));
        return kind_of(request, &clusters, event.value());
    };

    BOOST_TEST((kind(first) == kind(second)));
    BOOST_TEST(kind(first).who == "");
    BOOST_TEST((kind(by_ann()) != kind(first)));
    BOOST_TEST(kind(by_ann()).who == "3");
}

BOOST_AUTO_TEST_CASE(nobody_hides_the_refusals_of_somebody_else) {
    RefusalFolder folder;
    const Timestamp now{1000s};
    Event of_eve = an_event();
    of_eve.chain.value = 7;
    for (int i = 0; i < 1000; ++i) {
        folder.take({"", std::to_string(i)}, an_event(), now);
        folder.take({"3", std::to_string(i)}, of_eve, now);
    }

    BOOST_TEST(folder.take({"4", "x"}, an_event("theirs"), now).size() == 1U);
    const auto due = folder.due(now + 61s);
    BOOST_TEST_REQUIRE(due.size() == 2U);
    BOOST_TEST(due[0].chain.value == 0);
    BOOST_TEST(due[1].chain.value == 7);
    BOOST_TEST(due[1].times == 1000 - RefusalFolder::most_rows);
}

BOOST_AUTO_TEST_CASE(requests_without_a_key_do_not_hide_guesses_of_keys) {
    RefusalFolder folder;
    const Timestamp now{1000s};
    const auto take = [&](const http::Request& request, const Route& route) {
        const auto event = refusal_event(request, &route, http::text(401, "")).value();
        return folder.take(kind_of(request, &route, event), event, now);
    };
    std::vector<std::string> patterns;
    for (int i = 0; i < 200; ++i) patterns.push_back("/v2/" + std::to_string(i));
    for (const std::string& pattern : patterns) {
        take(a_request(), {.method = "POST", .pattern = pattern, .need = auth::Need::user});
    }
    http::Request guess = a_request();
    guess.headers["coopr-apikey"] = "wrong";

    BOOST_TEST(take(guess, clusters).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_network_hides_no_refusals_of_another_and_all_of_them_are_bounded) {
    RefusalFolder folder;
    const Timestamp now{1000s};
    const auto take = [&](const std::string& network, int what) {
        return folder
            .take({.what = std::to_string(what), .network = network, .site = network}, an_event(),
                  now)
            .size();
    };
    for (int i = 0; i < 1000; ++i) take("192.0.2.1", i);
    BOOST_TEST(take("192.0.2.2", 1) == 1U);

    std::size_t rows = 0;
    for (int i = 0; i < 1000; ++i) rows += take("2001:db8::" + std::to_string(i) + "/64", 1);
    BOOST_TEST(rows == static_cast<std::size_t>(RefusalFolder::most_rows_of_unknown -
                                                RefusalFolder::most_rows_of_network - 1));

    http::Request request = a_request();
    request.client = "2001:db8::1";
    const auto kind_from = [&] {
        return kind_of(request, &clusters,
                       refusal_event(request, &clusters, http::text(401, "")).value());
    };
    const std::string network = kind_from().network;
    request.client = "2001:db8::2";
    BOOST_TEST(kind_from().network == network);
    BOOST_TEST(kind_of(by_ann(), &clusters, an_event()).network == "");
}

BOOST_AUTO_TEST_CASE(who_has_many_networks_hides_nothing_of_others) {
    RefusalFolder folder;
    const auto take = [&](const std::string& client, const std::string& what) {
        http::Request request = a_request();
        request.client = client;
        RefusalKind kind = kind_of(request, &clusters, an_event());
        kind.what = what;
        return folder.take(kind, an_event(), Timestamp{1000s}).size();
    };
    std::size_t rows = 0;
    for (int i = 1; i <= 100; ++i) {
        const std::string client = "2001:db8:7:" + std::to_string(i) + "::1";
        for (int what = 0; what < 20; ++what) rows += take(client, std::to_string(what));
    }

    BOOST_TEST(rows == static_cast<std::size_t>(RefusalFolder::most_rows_of_site));
    BOOST_TEST(take("2001:db8:8::1", "another") == 1U);
}

BOOST_AUTO_TEST_CASE(the_reason_of_a_refusal_names_every_problem) {
    const auto event =
        refusal_event(by_ann(), &clusters,
                      http::json(422, {{"problems",
                                        {{{"field", "name"}, {"message", "is missing"}},
                                         {{"field", ""}, {"message", "No."}}}}}));

    BOOST_TEST(event->reason == "name: is missing; No.");
}

BOOST_AUTO_TEST_CASE(the_same_refusal_within_a_minute_is_one_more_event_with_their_number) {
    RefusalFolder folder;
    const Timestamp now{1000s};

    BOOST_TEST(folder.take({.what = "a"}, an_event(), now).size() == 1U);
    for (int i = 0; i < 5; ++i)
        BOOST_TEST(folder.take({.what = "a"}, an_event(), now + 1s).empty());
    BOOST_TEST(folder.due(now + 59s).empty());

    const auto due = folder.due(now + 60s);
    BOOST_TEST_REQUIRE(due.size() == 1U);
    BOOST_TEST(due.front().times == 5);
    BOOST_TEST(due.front().reason == "5 more times within a minute: No.");
    BOOST_TEST(folder.due(now + 121s).empty());
    BOOST_TEST(folder.take({.what = "a"}, an_event(), now + 122s).size() == 1U);
}

BOOST_AUTO_TEST_CASE(one_more_refusal_of_a_kind_is_said_so) {
    RefusalFolder folder;
    folder.take({.what = "a"}, an_event(), Timestamp{1000s});
    folder.take({.what = "a"}, an_event(), Timestamp{1001s});

    BOOST_TEST(folder.rest().front().reason == "Once more within a minute: No.");
}

BOOST_AUTO_TEST_CASE(a_refusal_that_has_an_event_already_gets_no_other) {
    http::Response response = http::text(403, "");
    BOOST_TEST(refusal_event(a_request(), nullptr, response).has_value());
    response.has_own_event = true;
    BOOST_TEST(!refusal_event(a_request(), nullptr, response).has_value());
}

BOOST_AUTO_TEST_CASE(a_flood_of_different_refusals_is_bounded_and_counted) {
    RefusalFolder folder;
    const Timestamp now{1000s};
    std::size_t rows = 0;
    for (int i = 0; i < 10'000; ++i) {
        rows += folder.take({.what = std::to_string(i)}, an_event(std::to_string(i)), now).size();
    }

    BOOST_TEST(rows == static_cast<std::size_t>(RefusalFolder::most_rows_of_network));
    const auto due = folder.due(now + 61s);
    BOOST_TEST_REQUIRE(due.size() == 1U);
    BOOST_TEST(due.front().times == 10'000 - RefusalFolder::most_rows_of_network);
    BOOST_TEST(due.front().chain.value == 0);
    BOOST_TEST(due.front().reason.starts_with("Further refusals"));
    BOOST_TEST(folder.take({.what = "new"}, an_event(), now + 62s).size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_was_only_counted_is_recorded_at_the_end) {
    RefusalFolder folder;
    const Timestamp now{1000s};
    folder.take({.what = "a"}, an_event(), now);
    folder.take({.what = "a"}, an_event(), now);
    folder.take({.what = "b"}, an_event(), now);

    const auto rest = folder.rest();

    BOOST_TEST_REQUIRE(rest.size() == 1U);
    BOOST_TEST(rest.front().times == 1);
    BOOST_TEST(folder.rest().empty());
}

BOOST_AUTO_TEST_SUITE_END()
