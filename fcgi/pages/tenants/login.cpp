#include "fcgi/pages/tenants/login.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/auth/sessions.hpp"
#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

FormField field(const char* id, const char* name, const char* label, const char* autocomplete) {
    FormField made{.id = id, .name = name, .label = label};
    made.autocomplete = autocomplete;
    made.required = true;
    return made;
}

}  // namespace

Json to_json(const LoginPage& page) {
    auto tenant = field("loginTenant", "tenant", "Tenant", "organization");
    tenant.value = page.tenant;
    auto user = field("loginUsername", "user", "User name", "username");
    user.value = page.user;
    auto password = field("loginPassword", "password", "Password", "current-password");
    password.type = "password";
    auto json = problems_json("Couldn't log in", page.problems,
                              {{"tenant", tenant.id, tenant.label},
                               {"user", user.id, user.label},
                               {"password", password.id, password.label}});
    json["next"] = page.next;
    json["fields"] = {to_json(user, page.problems), to_json(tenant, page.problems),
                      to_json(password, page.problems)};
    return json;
}

std::string safe_next(const std::string& path) {
    const bool printable =
        std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
    const bool ours = path.starts_with('/') && !path.starts_with("//");
    const bool odd = path.find('\\') != std::string::npos || path.starts_with("/login");
    return printable && ours && !odd ? path : "/";
}

using http::Request;
using http::Response;
using provisioner::base::Problems;
using provisioner::base::Secret;
namespace operations = provisioner::operations;

namespace {

Response login_form(App& app, const auth::Visitor& visitor, int status, const LoginPage& page) {
    return drawn(app, visitor, status, "tenants/login", {.title = "Log in", .section = "login"},
                 to_json(page));
}

Problems missing_in(const LoginPage& page, const std::string& password) {
    Problems problems;
    if (page.user.empty()) problems.push_back({"user", "Enter your user name."});
    if (page.tenant.empty()) problems.push_back({"tenant", "Enter your tenant."});
    if (password.empty()) problems.push_back({"password", "Enter your password."});
    return problems;
}

}  // namespace

Response home(const Request&, const auth::Visitor&, App&) {
    return http::see_other("/clusters");
}

Response show_login(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto next = safe_next(request.query_value("next").value_or("/"));
    if (visitor.caller) return http::see_other(next);
    return login_form(app, visitor, 200, {.next = next});
}

Response log_in(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto password = sent.first("password").value_or("");
    LoginPage page{
        sent.trimmed("tenant"), sent.trimmed("user"), safe_next(sent.trimmed("next")), {}};
    page.problems = missing_in(page, password);
    if (!page.problems.empty()) return login_form(app, visitor, 422, page);

    const auto result = operations::sign_in(app.database,
                                            {.tenant = page.tenant,
                                             .user = page.user,
                                             .password = Secret(password),
                                             .client = auth::client_of(request)},
                                            app.sign_in, app.clock.now());
    auth::record_sign_in({app.database, app.log}, request, result);
    if (result.end == operations::SignInResult::End::done) {
        const bool needs_code = result.stage == provisioner::model::SessionStage::code;
        const std::string next =
            needs_code ? "/login/code?next=" + http::percent_encode(page.next) : page.next;
        return with_session(http::see_other(next), request, result.token, app);
    }
    page.problems = {{"password", refusal_words(result)}};
    return with_refusal(login_form(app, visitor, 422, page), result);
}

std::string refusal_words(const operations::SignInResult& result) {
    using End = operations::SignInResult::End;
    const std::string seconds = std::to_string(result.wait.count()) + " s.";
    switch (result.end) {
        case End::done:
            return "";
        case End::wrong_password:
            return "User name, tenant and password do not fit together.";
        case End::wrong_code:
            return "This code is not right, or was used before.";
        case End::no_first_step:
            return "That took too long. Log in again.";
        case End::must_wait:
            return "Too many failed attempts. Try again in " + seconds;
        case End::too_busy:
            return "Too many people are logging in. Try again in " + seconds;
    }
    throw std::logic_error("unknown end of a sign-in");
}

Response with_refusal(Response page, const operations::SignInResult& result) {
    using End = operations::SignInResult::End;
    if (result.end != End::must_wait && result.end != End::too_busy) return page;
    page.status = result.end == End::must_wait ? 429 : 503;
    return http::with_header(std::move(page), "Retry-After", std::to_string(result.wait.count()));
}

Response with_session(Response response, const Request& request, const Secret& token, App& app) {
    const auto cookie = auth::session_cookie(token, request, app.sign_in.session_length);
    return http::with_header(std::move(response), "Set-Cookie", http::to_header(cookie));
}

Response log_out(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!visitor.session.empty()) auth::log_out(app.database, visitor.session);
    auth::record_sign_out({app.database, app.log}, visitor);
    const auto cookie = http::to_header(auth::no_session_cookie(request));
    return http::with_header(http::see_other("/login"), "Set-Cookie", cookie);
}

}  // namespace fcgi::pages
