#include "fcgi/pages/tenants/external.hpp"

#include "fcgi/auth/sessions.hpp"
#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace operations = provisioner::operations;

namespace {

constexpr std::size_t longest_next = 2000;

Response refused_by_provider(App& app, const auth::Visitor& visitor,
                             const operations::Destination& to,
                             const operations::SignInResult& result, int status = 422) {
    LoginPage page{.next = to.next, .kept = to.kept};
    page.problems = {{"", refusal_words(result)}};
    return with_refusal(login_page(app, visitor, status, std::move(page)), result);
}

std::string next_in(const std::string& given) {
    std::string next = safe_next(given);
    return next.size() > longest_next ? "/" : next;
}

/// Sends the browser to the provider of the request; `lead` makes the response that does.
Response depart(const Request& request, const auth::Visitor& visitor, App& app,
                const operations::Destination& to, bool again,
                const std::function<Response(const std::string& address)>& lead) {
    const auto departure =
        app.identity_providers->depart(request.path_value("provider"), to, auth::client_of(request),
                                       auth::departure_token(request), again, app.clock.now());
    if (!departure) return refused_by_provider(app, visitor, to, departure.error());
    const auto cookie = http::to_header(auth::departure_cookie(departure->cookie, request));
    return http::with_header(lead(departure->address), "Set-Cookie", cookie);
}

}  // namespace

Json to_json(const NoticePage& page) {
    Json json;
    json["heading"] = page.heading;
    json["text"] = page.text;
    json["links"] = Json::array();
    for (const auto& [href, label] : page.links) {
        Json link;
        link["href"] = href;
        link["label"] = label;
        link["first"] = json["links"].empty();
        json["links"].push_back(std::move(link));
    }
    return json;
}

Response notice(App& app, const auth::Visitor& visitor, int status, const NoticePage& page) {
    return drawn(app, visitor, status, "tenants/notice",
                 {.title = page.heading, .section = visitor.caller ? "profile" : "login"},
                 to_json(page));
}

Response depart_to_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const std::string next = next_in(request.query_value("next").value_or("/"));
    if (app.identity_providers == nullptr) return http::see_other("/login");
    const bool again = request.query_value("again") == "1";
    if (visitor.caller && !again) return http::see_other(next);
    operations::Destination to{.next = next};
    // The log-in there begins another session, and the form goes with it.
    if (visitor.caller) to.kept = form_at(app, visitor, next);
    return depart(request, visitor, app, to, again, http::see_other);
}

Response depart_with_form(const Request& request, const auth::Visitor& visitor, App& app) {
    if (app.identity_providers == nullptr) return http::see_other("/login");
    const auto sent = http::parse_form(request.body);
    const operations::Destination to{.next = next_in(sent.trimmed("next")),
                                     .kept = travelling_form(sent)};
    return depart(request, visitor, app, to, false, [&](const std::string& address) {
        const NoticePage page{.heading = translated("Log in to continue"),
                              .text = translated("Your form comes back when you have logged in."),
                              .links = {{address, translated("Continue")}}};
        return http::with_header(notice(app, {}, 200, page), "Refresh", "0; url=" + address);
    });
}

Response arrive_from_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    if (app.identity_providers == nullptr) return http::see_other("/login");
    // An address that is not of all names a provider.
    const auto named = request.path_values.find("provider");
    const std::string callback = named == request.path_values.end() ? "" : named->second;
    const operations::ProviderAnswer answer{.state = request.query_value("state").value_or(""),
                                            .code = request.query_value("code").value_or(""),
                                            .error = request.query_value("error").value_or(""),
                                            .issuer = request.query_value("iss"),
                                            .callback = callback};
    const auto arrival =
        app.identity_providers->arrive(answer, auth::departure_token(request),
                                       auth::client_of(request), app.sign_in, app.clock.now());
    const auto& result = arrival.result;
    // Nobody tried to sign in, and anybody can ask this often: the refusals of requests are folded.
    if (result.end == operations::SignInResult::End::no_first_step) {
        return refused_by_provider(app, visitor, arrival.to, result, 403);
    }
    auth::record_sign_in({app.database, app.log}, request, result);
    if (result.end != operations::SignInResult::End::done) {
        return refused_by_provider(app, visitor, arrival.to, result);
    }
    // The browser has one session: the one before is not left behind.
    if (!visitor.session.empty()) auth::log_out(app.database, visitor.session);
    return after_first_step(app, request, result, arrival.to.next, arrival.to.kept);
}

Response log_out_by_provider(const Request& request, const auth::Visitor&, App& app) {
    const auto token = http::parse_form(request.body).trimmed("logout_token");
    operations::LogoutAnswer answer{.problem = translated("there are no identity providers")};
    if (app.identity_providers != nullptr) {
        answer = app.identity_providers->take_logout_token(token, app.clock.now());
    }
    if (answer.problem.empty()) return http::empty(200);
    app.log.warn("logout_token.refused", {{"request", request.id}, {"reason", answer.problem}});
    if (answer.may_retry) {
        return http::with_header(
            http::json(
                503, {{"error", "temporarily_unavailable"},
                      {"error_description", translated("The logout token could not be checked.")}}),
            "Retry-After", std::to_string(operations::busy_wait.count()));
    }
    return http::json(400, {{"error", "invalid_request"},
                            {"error_description", translated("The logout token was refused.")}});
}

}  // namespace fcgi::pages
