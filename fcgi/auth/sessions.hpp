#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "fcgi/http/cookies.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::auth {

/// How long somebody stays logged in: a working day, so that a forgotten browser is not open for
/// ever.
constexpr std::chrono::hours session_length{12};

/// Logs in with a password: the token of a new session, or nothing when tenant, user or password is
/// wrong, without telling which and in the same time.
std::optional<provisioner::base::Secret> log_in(provisioner::store::Database& database,
                                                const std::string& tenant, const std::string& user,
                                                const provisioner::base::Secret& password,
                                                provisioner::base::Timestamp now);

/// Ends the session; does nothing when it is not there.
void log_out(provisioner::store::Database& database, const provisioner::base::Secret& token);

/// The token of the request's session cookie; nothing without one or when it has not the form of a
/// token.
std::optional<provisioner::base::Secret> session_token(const http::Request& request);

/// The cookie that keeps the browser logged in; over TLS it is a __Host- cookie.
http::Cookie session_cookie(const provisioner::base::Secret& token, bool secure);

/// The cookie that makes the browser forget it.
http::Cookie no_session_cookie(bool secure);

}  // namespace fcgi::auth
