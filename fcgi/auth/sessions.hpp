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

/// Lifetime of a login session: a working day. A session is never prolonged; a forgotten browser is
/// logged out.
constexpr std::chrono::hours session_length{12};

/// Checks a password and creates a session. Returns the session token, or nothing if tenant, user
/// or password is wrong. All three cases take the same time and are not told apart: an unknown user
/// is compared with a decoy hash. Users without a password cannot log in. One call costs tens of
/// milliseconds and 19 MiB (Argon2id). Two transactions: a read, then a write that stores only the
/// hash of the token.
std::optional<provisioner::base::Secret> log_in(provisioner::store::Database& database,
                                                const std::string& tenant, const std::string& user,
                                                const provisioner::base::Secret& password,
                                                provisioner::base::Timestamp now);

/// Deletes the session from the database; does nothing if it does not exist.
void log_out(provisioner::store::Database& database, const provisioner::base::Secret& token);

/// The token in the request's session cookie. Nothing if the cookie is missing or its value has not
/// the form of a token. It does not check whether the session exists.
std::optional<provisioner::base::Secret> session_token(const http::Request& request);

/// The cookie that carries the session token, with the lifetime of the session. Over TLS it is a
/// `__Host-` cookie, which other subdomains cannot set (RFC 6265bis, 4.1.3.2). Below a prefix it
/// has that path, so that the browser does not send it to other sites of the host; a `__Host-`
/// cookie cannot, so it is a `__Secure-` cookie there.
http::Cookie session_cookie(const provisioner::base::Secret& token, const http::Request& request);

/// The cookie that removes the session cookie from the browser. Name and path are as above.
http::Cookie no_session_cookie(const http::Request& request);

}  // namespace fcgi::auth
