#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /: where the work is.
http::Response home(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /login?next=/path
http::Response show_login(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /login: 303 to where the visitor wanted to go, or 422 with the form again.
http::Response log_in(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /logout: ends the session, 303 to the login page.
http::Response log_out(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
