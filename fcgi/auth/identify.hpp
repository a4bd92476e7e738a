#pragma once

#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"

namespace fcgi::auth {

/// The visitor of a page, from its session cookie. The visitor has no caller if the cookie is
/// missing, malformed, unknown or expired; that is no error, because some pages need no login. Nor
/// has a session that waits for the second factor: it is the visitor's first_step. One database
/// read if the cookie is well-formed, one more for a superadmin at an address of a view
/// (Request::view). Throws what Directory throws.
Visitor identify_browser(const http::Request& request, Directory& directory);

/// Whether a request without an API key is accepted on its word (setting `auth.trusted_headers`).
/// The reference server worked that way, so `on` helps while an installation moves away from it.
/// With `on`, every client that reaches the API can be any user.
enum class TrustedHeaders { off, on };

/// Identifies the sender of an API request, or returns the answer that refuses it.
///
/// A script sends Coopr-UserID, Coopr-TenantID (the tenant's name) and Coopr-ApiKey. The key must
/// belong to that user in that tenant. A page's own script may use the session cookie instead, if
/// it sends no Coopr-UserID: for a GET from this site, and for other methods with the session's
/// csrf token in X-CSRF-Token.
///
/// Refusals carry the wire contract's texts: 401, or 404 for an unknown tenant. An unknown user and
/// a wrong key get the same answer, so a client cannot test for user names. With `trusted` on, a
/// request without a key is accepted as that user, who must exist; a key that is sent is still
/// checked. Throws what Directory throws.
provisioner::base::expected<Visitor, http::Response> identify_script(
    const http::Request& request, Directory& directory,
    TrustedHeaders trusted = TrustedHeaders::off);

}  // namespace fcgi::auth
