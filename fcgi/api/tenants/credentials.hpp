#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

// What superadmins change of the people of a tenant. Outside the wire contract.

/// PUT /v2/tenants/{tenant}/users/{user}: {"role", "disabled"}, either may be left out. The user's
/// sessions end when something changed. 409 for the caller itself.
http::Response change_user(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/tenants/{tenant}/users/{user}/password: {"password", "expireTime"}, an initial password
/// that is not shown again. It has to be changed at the first login. The user's sessions end.
http::Response reset_user_password(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);

/// DELETE /v2/tenants/{tenant}/users/{user}/sessions: ends all of them.
http::Response end_user_sessions(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// DELETE /v2/tenants/{tenant}/users/{user}/factor: removes the second factor; the user's sessions
/// end. 409 without one.
http::Response remove_user_factor(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

}  // namespace fcgi::api
