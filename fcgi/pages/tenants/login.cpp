#include "fcgi/pages/tenants/login.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/auth/csrf.hpp"
#include "fcgi/auth/sessions.hpp"
#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/tenants/external.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;

namespace {

FormField field(const char* id, const char* name, const std::string& label,
                const char* autocomplete) {
    FormField made{.id = id, .name = name, .label = label};
    made.autocomplete = autocomplete;
    made.required = true;
    return made;
}

}  // namespace

Json to_json(const LoginPage& page) {
    auto tenant = field("loginTenant", "tenant", translated("Tenant"), "organization");
    tenant.required = page.directories.empty();
    tenant.value = page.tenant;
    auto user = field("loginUsername", "user", translated("User name"), "username");
    user.value = page.user;
    user.takes_focus = page.ways.empty();
    auto password = field("loginPassword", "password", translated("Password"), "current-password");
    password.type = "password";
    auto json = problems_json(translated("Couldn't log in"), page.problems,
                              {{"tenant", tenant.id, tenant.label},
                               {"user", user.id, user.label},
                               {"password", password.id, password.label}});
    json["next"] = page.next;
    json.update(travelling_json(page.kept));
    json["has_directories"] = !page.directories.empty();
    json["directories"] = Json::array();
    for (const auto& [name, label] : page.directories) {
        json["directories"].push_back(
            {{"directory_words",
              translated("{0}: log in with your user name there and leave the tenant empty.",
                         label)}});
    }
    json["has_ways"] = !page.ways.empty();
    json["ways"] = Json::array();
    for (const auto& [href, label] : page.ways) {
        Json way;
        way["href"] = href;
        way["label"] = label;
        way["carries_form"] = page.kept.has_value();
        json["ways"].push_back(std::move(way));
    }
    json["fields"] = {to_json(user, page.problems), to_json(tenant, page.problems),
                      to_json(password, page.problems)};
    if (page.directories.size() < 2) return json;
    FormField directory{
        .id = "loginDirectory", .name = "directory", .label = translated("Directory")};
    directory.control = FormField::Control::select;
    directory.value = page.directory;
    directory.options = page.directories;
    directory.options.insert(directory.options.begin(),
                             {"", translated("Any (search by user name)")});
    json["fields"].push_back(to_json(directory, page.problems));
    return json;
}

using http::Request;
using http::Response;
using provisioner::base::Problems;
using provisioner::base::Secret;
namespace operations = provisioner::operations;

namespace {

void add_ways(App& app, LoginPage& page) {
    if (app.identity_providers == nullptr) return;
    for (const auto& way : app.identity_providers->choices()) {
        if (way.kind == provisioner::model::IdentityKind::oidc) {
            page.ways.emplace_back("/login/with/" + http::percent_encode(way.name) +
                                       "?next=" + http::percent_encode(page.next),
                                   way.label);
        } else {
            page.directories.emplace_back(way.name, way.label);
        }
    }
}

Response login_form(App& app, const auth::Visitor& visitor, int status, const LoginPage& page) {
    return drawn(app, visitor, status, "tenants/login",
                 {.title = translated("Log in"), .section = "login"}, to_json(page));
}

Problems missing_in(const LoginPage& page, const std::string& password) {
    const bool needs_tenant = page.directories.empty();
    Problems problems;
    if (page.user.empty()) problems.push_back({"user", translated("Enter your user name.")});
    if (page.tenant.empty() && needs_tenant)
        problems.push_back({"tenant", translated("Enter your tenant.")});
    if (password.empty()) problems.push_back({"password", translated("Enter your password.")});
    return problems;
}

}  // namespace

Response login_page(App& app, const auth::Visitor& visitor, int status, LoginPage page) {
    add_ways(app, page);
    return login_form(app, visitor, status, page);
}

Response show_login(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto next = safe_next(request.query_value("next").value_or("/"));
    if (visitor.caller) return http::see_other(next);
    return login_page(app, visitor, 200, {.next = next});
}

std::optional<Response> leave_login(const Request& request, const auth::Visitor& visitor,
                                    App& app) {
    const bool is_log_in = request.path == "/login" || request.path.starts_with("/login/");
    if (!is_log_in || !visitor.caller || !auth::says_same_origin(request)) return std::nullopt;
    const auto sent = http::parse_form(request.body);
    if (const auto kept = travelling_form(sent)) {
        return http::see_other(page_of_kept_form(keep(app, visitor.who().user.id, *kept)));
    }
    return http::see_other(safe_next(sent.trimmed("next")));
}

Response log_in(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto password = sent.first("password").value_or("");
    LoginPage page{.tenant = sent.trimmed("tenant"),
                   .user = sent.trimmed("user"),
                   .next = safe_next(sent.trimmed("next")),
                   .directory = sent.trimmed("directory"),
                   .kept = travelling_form(sent)};
    add_ways(app, page);
    page.problems = missing_in(page, password);
    if (!page.problems.empty()) return login_form(app, visitor, 422, page);

    const auto now = app.clock.now();
    operations::PasswordElsewhere elsewhere;
    if (!page.directories.empty()) {
        elsewhere = [&](const operations::SignInRequest& wanted) {
            return app.identity_providers->check_password(wanted, page.directory, app.sign_in, now);
        };
    }
    const auto result = operations::sign_in(app.database,
                                            {.tenant = page.tenant,
                                             .user = page.user,
                                             .password = Secret(password),
                                             .client = auth::client_of(request)},
                                            app.sign_in, now, elsewhere);
    auth::record_sign_in({app.database, app.log}, request, result);
    if (result.end == operations::SignInResult::End::done) {
        // The session that this browser had before would live on without its cookie.
        if (!visitor.session.empty()) auth::log_out(app.database, visitor.session);
        return after_first_step(app, request, result, page.next, page.kept);
    }
    // Nobody is told which of the three was wrong, so it stands beside none of them.
    page.problems = {{"", refusal_words(result)}};
    return with_refusal(login_form(app, visitor, 422, page), result);
}

Response after_first_step(App& app, const Request& request, const operations::SignInResult& result,
                          const std::string& next,
                          const std::optional<provisioner::store::KeptForm>& kept) {
    const bool needs_code = result.stage == provisioner::model::SessionStage::code;
    Response response;
    if (needs_code && kept) {
        // Whoever has only the password leaves nothing for the user: the form travels on.
        response = http::empty(200);
        response.next_form = "/login/code";
        http::FormData fields;
        fields.fields = {{"next", next}, {"kept_path", kept->path}, {"kept_body", kept->body}};
        response.next_fields = http::urlencoded(fields);
    } else if (needs_code) {
        response = http::see_other("/login/code?next=" + http::percent_encode(next));
    } else if (kept) {
        response = http::see_other(page_of_kept_form(keep_of_sign_in(app, result, *kept)));
    } else {
        response = http::see_other(next);
    }
    return with_session(std::move(response), request, result.token, app);
}

std::string refusal_words(const operations::SignInResult& result) {
    using End = operations::SignInResult::End;
    const std::string seconds = std::to_string(result.wait.count());
    switch (result.end) {
        case End::done:
            return "";
        case End::wrong_password:
            return translated("Incorrect user name, tenant or password.");
        case End::wrong_code:
            return translated("This code is wrong or was already used.");
        case End::no_first_step:
            return translated("That took too long. Log in again.");
        case End::must_wait:
            return translated("Too many failed attempts. Try again in {0} seconds.", seconds);
        case End::too_busy:
            return translated("Too many users are logging in. Try again in {0} seconds.", seconds);
        case End::provider_away:
            return translated("{0} Try again, or log in with a password of this site.",
                              result.reason);
        case End::provider_refused:
        case End::not_admitted:
            return joined_sentences(result.reason, result.advice);
    }
    throw std::logic_error("unknown end of a sign-in");
}

Response with_refusal(Response page, const operations::SignInResult& result) {
    using End = operations::SignInResult::End;
    if (result.end == End::provider_away) page.status = 503;
    if (result.end == End::not_admitted) {
        page.status = 403;
        // Without it the status would be a second one.
        page.has_own_event = true;
    }
    if (result.end != End::must_wait && result.end != End::too_busy) return page;
    page.status = result.end == End::must_wait ? 429 : 503;
    return http::with_header(std::move(page), "Retry-After", std::to_string(result.wait.count()));
}

Response with_session(Response response, const Request& request, const Secret& token, App& app) {
    const auto cookie = auth::session_cookie(token, request, app.sign_in.session_length);
    return http::with_header(std::move(response), "Set-Cookie", http::to_header(cookie));
}

Response log_out(const Request& request, const auth::Visitor& visitor, App& app) {
    if (visitor.login) operations::end_views_at_log_out(app.database, visitor.open_session());
    operations::IdentityProviders::LogOut elsewhere;
    if (!visitor.session.empty() && app.identity_providers != nullptr) {
        elsewhere = app.identity_providers->log_out(visitor.session);
    } else if (!visitor.session.empty()) {
        auth::log_out(app.database, visitor.session);
    }
    auth::record_sign_out({app.database, app.log}, visitor);
    const auto cookie = http::to_header(auth::no_session_cookie(request));
    auto response = http::see_other("/login");
    if (!elsewhere.address.empty()) {
        const NoticePage page{
            .heading = translated("You are logged out here"),
            .text = translated("You are still logged in to {0} in this browser.", elsewhere.label),
            .links = {{elsewhere.address, translated("Also log out of {0}", elsewhere.label)},
                      {"/login", translated("Log in again")}}};
        response = notice(app, {}, 200, page);
    }
    // Browsers heed it over TLS only, and complain elsewhere.
    if (request.secure) {
        response =
            http::with_header(std::move(response), "Clear-Site-Data", R"("cache", "storage")");
    }
    return http::with_header(std::move(response), "Set-Cookie", cookie);
}

}  // namespace fcgi::pages
