#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "fcgi/http/cookies.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::auth {

/// Deletes the session from the database; does nothing if it does not exist.
void log_out(provisioner::store::Database& database, const provisioner::base::Secret& token);

/// The token in the request's session cookie. Nothing if the cookie is missing or its value has not
/// the form of a token. It does not check whether the session exists.
std::optional<provisioner::base::Secret> session_token(const http::Request& request);

/// The cookie that carries the session token, for `length`. Over TLS it is a
/// `__Host-` cookie, which other subdomains cannot set (RFC 6265bis, 4.1.3.2). Below a prefix it
/// has that path, so that the browser does not send it to other sites of the host; a `__Host-`
/// cookie cannot, so it is a `__Secure-` cookie there.
http::Cookie session_cookie(const provisioner::base::Secret& token, const http::Request& request,
                            std::chrono::seconds length);

/// What binds a sign-in at an identity provider to the browser in which it began: the token in the
/// request's cookie for it, if there is one, and the cookie for ten minutes.
std::optional<provisioner::base::Secret> departure_token(const http::Request& request);
http::Cookie departure_cookie(const provisioner::base::Secret& token, const http::Request& request);

/// The cookie that removes the session cookie from the browser. Name and path are as above.
http::Cookie no_session_cookie(const http::Request& request);

}  // namespace fcgi::auth
