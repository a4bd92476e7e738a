#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// Whether the browser says that the request comes from this site: by Sec-Fetch-Site ("none" is a
/// person who typed the address), else by Origin, whose host must be the one asked for. True when
/// it says neither.
bool is_same_origin(const http::Request& request);

/// Whether a form may do what it asks for: it was sent from this site, and with a session it
/// carries the session's token in its field "csrf".
[[nodiscard]] bool form_is_genuine(const http::Request& request, const Visitor& visitor);

}  // namespace fcgi::auth
