#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

/// The form to log in with: views/tenants/login. The password is never shown again.
struct LoginPage {
    std::string tenant{};
    std::string user{};
    /// Where to go then: a path of this site.
    std::string next = "/";
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const LoginPage& page);

/// `path` if it leads to a page of this site ("/clusters/..."), else "/": a login must not send
/// anybody elsewhere.
std::string safe_next(const std::string& path);

/// GET /: where the work is.
http::Response home(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /login?next=/path
http::Response show_login(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /login: 303 to where the visitor wanted to go, or 422 with the form again.
http::Response log_in(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /logout: ends the session, 303 to the login page.
http::Response log_out(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
