#include "fcgi/site.hpp"

#include <stdexcept>
#include <utility>

#include "fcgi/auth/arrival.hpp"
#include "fcgi/auth/csrf.hpp"
#include "fcgi/auth/key_scope.hpp"
#include "fcgi/compression.hpp"
#include "fcgi/http/conditional.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/incoming.hpp"
#include "fcgi/http/params.hpp"
#include "fcgi/http/problem_details.hpp"
#include "fcgi/http/security_headers.hpp"
#include "fcgi/monitoring/monitor.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/kept/sent_once.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "fcgi/pages/tenants/viewing.hpp"
#include "fcgi/refusal_log.hpp"
#include "fcgi/request_log.hpp"
#include "fcgi/views/live_parts.hpp"
#include "fcgi/views/renderer.hpp"
#include "provisioner/identity/csrf_token.hpp"
#include "provisioner/identity/sealing.hpp"
#include "provisioner/messages/reader.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/sign_in/waits.hpp"

namespace fcgi {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::messages::translated;

namespace {

// Names of users have at most 255 bytes. The throttle keeps what it is given.
constexpr std::size_t longest_user = 256;

// Problem details come first: conditional() computes the ETag of the final body.
Response with_api_headers(Response response, const Request& request) {
    if (!http::is_for_api(request)) return response;
    return http::conditional(http::problem_details(std::move(response), request), request);
}

/// Tells the request who asks, for the log, and the visitor which request it is, for the job it may
/// start.
void introduce(Request& request, Visitor& visitor) {
    if (!visitor.caller) return;
    visitor.caller->request = request.id;
    visitor.caller->client = request.client;
    if (visitor.behind) {
        visitor.behind->request = request.id;
        visitor.behind->client = request.client;
    }
    request.asked_by = visitor.caller->tenant.name + '/' + visitor.caller->user.name;
    request.asker = visitor.caller;
    request.is_of_view = visitor.behind.has_value();
}

constexpr auto script_while_viewing =
    "While you view a tenant you can only read. Leave the view first.";

/// Whoever sent it may have the right to do what it asks for.
Response no_form_of_ours() {
    auto page = http::plain_page(403, translated("Go back, load the page again and send the form "
                                                 "once more."));
    page.heading = translated("This form is too old, or it is from another site");
    return page;
}

Response too_many_failures(std::chrono::seconds wait) {
    const auto seconds = std::to_string(wait.count());
    return http::with_header(
        http::text(429, "Too many failed attempts. Try again in " + seconds + " s."), "Retry-After",
        seconds);
}

}  // namespace

Site::Site(const std::vector<Route>& table, auth::Directory& directory, App& app,
           auth::TrustedHeaders trusted, http::Prefix prefix, int threads)
    : table_(table),
      directory_(directory),
      app_(app),
      trusted_(trusted),
      prefix_(std::move(prefix)),
      throttle_(app.clock),
      turns_(turns_for(threads)) {
    app_.turns = &turns_;
    for (std::size_t i = 0; i < table.size(); ++i) {
        router_.add(table[i].method, table[i].pattern, i);
    }
}

Response Site::answer(Request& request) const {
    const auto began = std::chrono::steady_clock::now();
    const provisioner::messages::Reader reader(
        app_.views.wanted(request.header("accept-language")));
    auto response = with_api_headers(in_frame(request, answer_or_broken(request)), request);
    // The request itself follows, and is noted then.
    const bool is_let_in = request.is_body_withheld && response.status < 300;
    if (!is_let_in) note(request, response, std::chrono::steady_clock::now() - began);
    if (!response.next_form.empty()) return carried_on(request, response);
    response.headers.emplace_back("X-Request-Id", request.id);
    if (trusted_ == auth::TrustedHeaders::on) {
        response.headers.emplace_back("X-Cooperage-Warning", "keys are not asked for");
    }
    response =
        prefix_.add(http::with_security_headers(std::move(response), request), request.view_path);
    if (request.is_body_withheld) return http::verdict(std::move(response));
    return compressed(views::with_live_parts(std::move(response), request), request);
}

Response Site::carried_on(const Request& request, const Response& before) const {
    const std::string& header = before.header("Set-Cookie");
    const std::string cookie = header.substr(0, header.find(';'));
    const provisioner::base::Secret session(cookie.substr(cookie.find('=') + 1));
    Request form = request;
    form.method = "POST";
    // It is a form of this site, also where another one led here: the callback of a provider.
    form.headers["sec-fetch-site"] = "same-origin";
    const auto query = std::min(before.next_form.find('?'), before.next_form.size());
    form.path = request.prefix + before.next_form.substr(0, query);
    form.query = before.next_form.substr(std::min(query + 1, before.next_form.size()));
    form.target = request.prefix + before.next_form;
    form.headers["cookie"] = cookie;
    form.body = before.next_fields + "&csrf=" + provisioner::identity::csrf_token(session);
    Response response = answer(form);
    response.headers.emplace_back("Set-Cookie", header);
    return response;
}

void Site::note(const Request& request, const Response& response,
                std::chrono::nanoseconds took) const {
    const Route* route = request.route < table_.size() ? &table_[request.route] : nullptr;
    log_end(app_.log, request, route, response.status, took);
    if (app_.refusals != nullptr) app_.refusals->note(request, route, response);
    if (app_.monitor == nullptr) return;
    app_.monitor->web().answered(request.route, request.method, response.status, took);
}

Response Site::in_frame(const Request& request, Response response) const {
    if (response.sentence.empty() || request.is_body_withheld) return response;
    try {
        // Without a database nobody is known.
        const Visitor visitor =
            response.status == 503 ? Visitor{} : auth::identify_browser(request, directory_);
        return pages::around(app_, visitor, request, response);
    } catch (const std::exception&) {
        return response;
    }
}

Response Site::answer_or_broken(Request& request) const {
    try {
        return answer_or_throw(request);
    } catch (const provisioner::store::TooLargeForDatabase& error) {
        app_.log.warn("request.too_large", {{"request", request.id}, {"error", error.what()}});
        return http::too_large_to_store(request);
    } catch (const provisioner::store::DatabaseUnavailable& error) {
        return http::database_unavailable(request, error, app_.log);
    } catch (const http::TooManyFields& error) {
        return http::too_many_fields(request, error.what());
    } catch (const http::BodyTooShort& error) {
        return http::text(400, error.what());
    } catch (const provisioner::identity::KeysOutOfStep& error) {
        app_.log.error("request.keys_out_of_step",
                       {{"request", request.id}, {"path", request.path}, {"error", error.what()}});
        return http::try_again(request, 503,
                               "The keys that seal secrets are being replaced, and nothing was "
                               "changed. Try again in a few seconds.",
                               5);
    } catch (const provisioner::contents::PlaceError& error) {
        return http::place_failed(request, error, app_.log);
    } catch (const std::exception& error) {
        return http::broken(request, error, app_.log);
    }
}

void Site::after_writing() const {
    // A user, key or tenant may have changed. A deleted key must not be accepted from the cache.
    directory_.forget();
    // Tasks may have been queued. A needless nudge costs one datagram.
    app_.nudge.send();
}

Response Site::answer_or_throw(Request& request) const {
    if (!prefix_.strip(request)) return http::not_found(request);
    http::Prefix::strip_view(request);
    const bool is_api = http::is_for_api(request);
    if (request.method == "HEAD" && !is_api) request.method = "GET";
    auto match = router_.find(request.method, request.path);
    if (std::holds_alternative<http::NoRoute>(match)) return http::not_found(request);
    auto* found = std::get_if<http::RouteFound>(&match);
    if (found == nullptr) {
        return http::wrong_method(request, std::get<http::WrongMethod>(match).allowed);
    }
    request.path_values = std::move(found->path_values);
    request.route = found->route;
    const Route& route = table_[found->route];
    if (route.is_anonymous && !request.is_body_withheld) {
        Response response = route.handler(request, Visitor{}, app_);
        const bool is_wrong = is_wrong_token(request, &route, response.status);
        return is_wrong ? wrong_token(request, std::move(response)) : response;
    }
    Response response = is_api ? answer_script(request, route) : told_once(request, route);
    const bool may_have_changed = route.changes() && !request.is_body_withheld;
    if (may_have_changed && response.status < 400) after_writing();
    return response;
}

// The token was compared before: who has it never waits for the guesses of others.
Response Site::wrong_token(const Request& request, Response response) const {
    // No name of a user has a line end. One path can be written in many ways: the pattern is one.
    const std::string who =
        provisioner::operations::network_of(request.client) + '\n' + table_[request.route].pattern;
    if (const auto wait = throttle_.wait_of(who)) return too_many_failures(*wait);
    throttle_.count_failure(who);
    return response;
}

Response Site::handled(Request& request, const Visitor& visitor, const Route& route,
                       std::uint64_t limit) const {
    if (request.is_body_withheld) {
        const bool is_too_large = !route.streams_body && request.incoming_size > limit;
        return is_too_large ? http::too_large(request, limit) : http::empty(204);
    }
    if (!route.streams_body) {
        if (auto refused = http::read_body(request, limit)) return *std::move(refused);
    }
    return in_turn(request, visitor, route);
}

Response Site::in_turn(Request& request, const Visitor& visitor, const Route& route) const {
    if (!route.is_laborious) return route.handler(request, visitor, app_);
    const Turns::Turn turn(turns_, visitor.who().user.id);
    if (turn.has_begun()) return route.handler(request, visitor, app_);
    if (turn.is_own_fault()) {
        return http::try_again(
            request, 429,
            "Another of your requests that take long is under way. Try again when it has been "
            "answered.",
            1);
    }
    return http::try_again(request, 503,
                           "As many requests that take long as this server takes at once are under "
                           "way. Try again in a few seconds.",
                           2);
}

Response Site::answer_script(Request& request, const Route& route) const {
    if (route.need == auth::Need::nobody) {
        return handled(request, Visitor{}, route, http::form_limit);
    }
    // The counter is per network and user: one user's wrong key on one host does not block other
    // users there, and of IPv6 everybody has many addresses.
    const std::string network = provisioner::operations::network_of(request.client);
    const auto who = network + ' ' + request.header("coopr-userid").substr(0, longest_user);
    if (const auto wait = throttle_.wait_of(who)) return too_many_failures(*wait);
    auto visitor = auth::identify_script(request, directory_, trusted_);
    if (!visitor) {
        if (!request.header("coopr-apikey").empty()) count_wrong_key(network, who);
        return visitor.error();
    }
    introduce(request, *visitor);
    if (!request.view.empty() && !visitor->behind) return outside_of_view(request, *visitor);
    if (!auth::satisfies(*visitor, route.need, route.changes())) {
        if (!route.refusal) return auth::refusal(request, *visitor, route.need);
        return route.refusal->empty() ? http::empty(403) : http::text(403, *route.refusal);
    }
    if (visitor->behind && !is_for_viewing(route)) return http::text(403, script_while_viewing);
    if (route.needs_proof && visitor->login && !is_proven(*visitor->login)) {
        return http::text(403, "Give your password again at /profile/proof first.");
    }
    if (visitor->key) {
        const std::string refused = auth::refused_by_key(*visitor->key, route.pattern,
                                                         request.path_values, route.changes());
        if (!refused.empty()) return http::text(403, refused);
    }
    if (auto stays_out = view_first(request, *visitor)) return *std::move(stays_out);
    const bool is_for_everybody = route.need <= auth::Need::cluster_user;
    return handled(request, *visitor, route,
                   is_for_everybody ? http::call_limit : http::body_limit);
}

void Site::count_wrong_key(const std::string& network, const std::string& who) const {
    // One network makes few counts in the database, whatever names it invents.
    const bool is_known_for_it = throttle_.wait_of(network).has_value();
    throttle_.count_failure(network);
    throttle_.count_failure(who, is_known_for_it ? 0 : directory_.count_wrong_key(who));
}

std::optional<Response> Site::duty(Request& request, const Visitor& visitor,
                                   const Route& route) const {
    if (!visitor.login || route.need == auth::Need::nobody) return std::nullopt;
    using Stage = provisioner::model::SessionStage;
    const Stage stage = visitor.login->stage;
    if (stage != Stage::open && !route.is_a_duty) {
        return http::see_other(stage == Stage::password ? "/profile/password" : "/profile/factor");
    }
    if (route.is_checked_first || !lacks_proof(visitor, route)) return std::nullopt;
    return ask_for_proof(request, visitor, route);
}

bool Site::lacks_proof(const Visitor& visitor, const Route& route) const {
    return route.needs_proof && visitor.login && !is_proven(*visitor.login);
}

Response Site::ask_for_proof(Request& request, const Visitor& visitor, const Route& route) const {
    const bool is_page = request.method == "GET";
    if (!is_page && pages::may_be_kept(request)) {
        if (auto refused = http::read_body(request, route.longest_form)) return *refused;
        if (const auto kept = page_of_kept(request, visitor, route)) {
            return http::see_other("/profile/proof?next=" + http::percent_encode(*kept));
        }
    }
    // The fields of a form are lost, so it leads back to the page of the form.
    std::string next = request.path;
    const auto has_page = [&] {
        return std::holds_alternative<http::RouteFound>(router_.find("GET", next));
    };
    while (!next.empty() && !has_page()) next.erase(next.rfind('/'));
    if (next.empty()) next = "/profile";
    if (is_page && !request.query.empty()) next += '?' + request.query;
    return http::see_other("/profile/proof?next=" + http::percent_encode(next));
}

bool Site::is_proven(const provisioner::model::Session& session) const {
    return app_.clock.now() - session.proven_at <= app_.sign_in.proof;
}

Response Site::told_once(Request& request, const Route& route) const {
    if (auto moved = pages::moved_done(request)) {
        return pages::with_done_once(*std::move(moved), request, false);
    }
    const bool is_told = pages::take_done(request);
    return pages::with_done_once(answer_browser(request, route), request, is_told);
}

Response Site::answer_browser(Request& request, const Route& route) const {
    // A form has to be read before its token is known; a body that is streamed or withheld cannot
    // be.
    if (route.streams_body || request.is_body_withheld) return http::not_found(request);
    Visitor visitor = auth::identify_browser(request, directory_);
    introduce(request, visitor);
    if (!request.view.empty() && !visitor.behind) return outside_of_view(request, visitor);
    if (visitor.caller && visitor.caller->is_superadmin() && visitor.login && !visitor.behind) {
        visitor.views = directory_.running_views(visitor.open_session());
    }
    const bool is_satisfied = auth::satisfies(visitor, route.need, route.changes());
    if (visitor.behind && request.method == "GET" && !(is_satisfied && is_for_viewing(route))) {
        // "You are viewing" is said only to whoever does. Nothing of the tenant is looked at.
        if (auto stays_out = view_first(request, visitor, false)) return *std::move(stays_out);
    }
    if (!is_satisfied) {
        auto again = visitor.caller ? std::nullopt : log_in_first(request, visitor);
        return again ? *std::move(again) : auth::refusal(request, visitor, route.need);
    }
    if (visitor.behind && !is_for_viewing(route)) return auth::while_viewing();
    if (auto first = duty(request, visitor, route)) return *std::move(first);
    if (auto stays_out = view_first(request, visitor)) return *std::move(stays_out);
    if (auto refused = http::read_body(request, route.longest_form)) return *std::move(refused);
    const bool lacks_proof = this->lacks_proof(visitor, route);
    if (request.method != "GET" && !auth::form_is_genuine(request, visitor)) {
        if (auto before = pages::if_sent_before(app_, visitor, request)) return *std::move(before);
        if (lacks_proof) return ask_for_proof(request, visitor, route);
        if (const auto page = page_of_kept(request, visitor, route)) return http::see_other(*page);
        if (auto on = pages::leave_login(request, visitor, app_)) return *std::move(on);
        return no_form_of_ours();
    }
    if (!route.changes()) return in_turn(request, visitor, route);
    if (lacks_proof) visitor.caller->must_prove = true;
    try {
        return pages::once(app_, visitor, request,
                           [&] { return in_turn(request, visitor, route); });
    } catch (const provisioner::operations::ProofNeeded&) {
        visitor.caller->must_prove = false;
        return ask_for_proof(request, visitor, route);
    }
}

// Nothing of a tenant is shown before its log has the view, which begins by a form only
// (begin_view).
std::optional<Response> Site::view_first(Request& request, const Visitor& visitor,
                                         bool is_look) const {
    if (!visitor.behind) return std::nullopt;
    const provisioner::model::OpenSession session{.session = *visitor.login,
                                                  .caller = *visitor.behind};
    const auto arrival = auth::arrival_of(request);
    std::optional<std::string> looked_from;
    if (is_look && arrival != auth::Arrival::unseen) looked_from = pages::came_from(request);
    if (directory_.is_viewing(session, visitor.who().tenant, looked_from)) return std::nullopt;
    if (arrival == auth::Arrival::page) {
        // No tenant has a page of the installation or of an account.
        if (http::is_outside_of_views(request.path)) return outside_of_view(request, visitor);
        return ask_to_view(request, visitor);
    }
    return http::text(410, "The view of this tenant has ended, or has not begun.");
}

Response Site::ask_to_view(Request& request, Visitor visitor) const {
    const std::string tenant = visitor.who().tenant.name;
    request.view.clear();
    request.view_path.clear();
    visitor.caller = std::exchange(visitor.behind, std::nullopt);
    return pages::question_of_view(app_, visitor, request, tenant);
}

Response Site::outside_of_view(Request& request, const Visitor& visitor) const {
    const std::string here = request.view_path + request.here();
    // The superadmin behind a view that has not begun is led to their own page, too.
    const bool is_own = visitor.caller && visitor.caller->tenant.name == request.view;
    request.view.clear();
    request.view_path.clear();
    if (request.method == "GET" && !http::is_for_api(request)) {
        if (!visitor.caller) return http::see_other(auth::log_in_page(here));
        if (is_own) return http::see_other(request.here());
    }
    return http::not_found(request);
}

// Nothing is stored for somebody who is not known: the form travels in the page of the login.
std::optional<Response> Site::log_in_first(Request& request, const Visitor& visitor) const {
    if (!pages::may_be_kept(request) || request.incoming_size > pages::longest_travelling_form) {
        return std::nullopt;
    }
    if (http::read_body(request, pages::longest_travelling_form)) return std::nullopt;
    auto kept = pages::form_to_keep(request, pages::longest_travelling_form);
    if (!kept) return std::nullopt;
    return pages::login_page(app_, visitor, 403, {.kept = std::move(kept)});
}

std::optional<std::string> Site::page_of_kept(const Request& request, const Visitor& visitor,
                                              const Route& route) const {
    if (!visitor.caller) return std::nullopt;
    auto form = pages::form_to_keep(request, route.longest_form);
    if (!form) return std::nullopt;
    // A form of another session, or of a page that is out of date, is looked at first.
    if (visitor.login && auth::form_is_genuine(request, visitor)) {
        pages::lacks_only_a_proof(app_, visitor, request, *form);
        pages::belongs_to_session(*form, visitor.login->id);
    }
    return pages::page_of_kept_form(pages::keep(app_, visitor.who().user.id, *form));
}

}  // namespace fcgi
