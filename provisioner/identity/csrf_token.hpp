#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// Token that every form of a session carries against cross-site request forgery: 64 hexadecimal
/// characters. Derived from the session token, so nothing is stored and it stays the same for the
/// whole session. Pages contain it (fcgi/pages/frame.cpp); the web process checks it on each
/// changing request. The session token cannot be computed from it, so pages may contain it. Source:
/// OWASP Cross-Site Request Forgery Prevention Cheat Sheet.
std::string csrf_token(const base::Secret& session_token);

/// Whether `given` is the token of that session. Compares in constant time; only the length may be
/// learnt. `given` comes from a form field or from the header X-CSRF-Token and may be any text.
[[nodiscard]] bool csrf_token_matches(const base::Secret& session_token, std::string_view given);

}  // namespace provisioner::identity
