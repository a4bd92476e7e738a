#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// Whether the browser's own headers say that the request comes from this site. Sec-Fetch-Site
/// decides when it is there: "same-origin" and "none" (a typed address) are accepted. Otherwise the
/// host of Origin must equal the Host header. Without both headers the answer is true, because old
/// browsers and scripts send neither. Source: W3C Fetch Metadata Request Headers.
bool is_same_origin(const http::Request& request);

/// Whether the browser's own headers say so in so many words; without them the answer is false.
bool says_same_origin(const http::Request& request);

/// Whether a form may do what it asks for. It must come from this site. With a session, its field
/// "csrf" must also hold the session's token. Without a session (the login form) the origin alone
/// decides. Reads Request::body, so the body must have been read. No I/O.
[[nodiscard]] bool form_is_genuine(const http::Request& request, const Visitor& visitor);

}  // namespace fcgi::auth
