#include "fcgi/pages/login.hpp"

#include "fcgi/auth/sessions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/login_page.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Problems;
using provisioner::base::Secret;

namespace {

Response login_form(App& app, int status, const LoginPage& page) {
    return drawn(app, {}, status, "login/new", {.title = "Log in", .section = "login"},
                 to_json(page));
}

Problems missing_in(const LoginPage& page, const std::string& password) {
    Problems problems;
    if (page.user.empty()) problems.push_back({"user", "Say who you are."});
    if (page.tenant.empty()) problems.push_back({"tenant", "Say which tenant you belong to."});
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
    return login_form(app, 200, {.next = next});
}

Response log_in(const Request& request, const auth::Visitor&, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto password = sent.first("password").value_or("");
    LoginPage page{
        sent.trimmed("tenant"), sent.trimmed("user"), safe_next(sent.trimmed("next")), {}};
    page.problems = missing_in(page, password);
    if (!page.problems.empty()) return login_form(app, 422, page);

    const auto token =
        auth::log_in(app.database, page.tenant, page.user, Secret(password), app.clock.now());
    if (token) {
        const auto cookie = http::to_header(auth::session_cookie(*token, request.secure));
        return http::with_header(http::see_other(page.next), "Set-Cookie", cookie);
    }
    page.problems = {{"password", "User name, tenant and password do not fit together."}};
    return login_form(app, 422, page);
}

Response log_out(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!visitor.session.empty()) auth::log_out(app.database, visitor.session);
    const auto cookie = http::to_header(auth::no_session_cookie(request.secure));
    return http::with_header(http::see_other("/login"), "Set-Cookie", cookie);
}

}  // namespace fcgi::pages
