#pragma once

#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"

namespace fcgi::auth {

/// Who a browser's session cookie says it is; a visitor without caller when there is none or it has
/// run out.
Visitor identify_browser(const http::Request& request, Directory& directory);

/// Whether a script that brings no key is believed: as the original did, for moving away from it.
/// Whoever reaches the API is then whoever they say.
enum class TrustedHeaders { off, on };

/// Who sent an API request. A script says so in the headers Coopr-UserID, Coopr-TenantID (the
/// tenant's name) and Coopr-ApiKey, a key that must be that user's in that tenant; a page's own
/// script by the session cookie, for GET from this site and for anything that carries the session's
/// csrf token in X-CSRF-Token. Otherwise the answer: 401, or 404 for an unknown tenant, with the
/// texts of the wire contract. An unknown user and a wrong key get the same answer. With trusted
/// headers a request without key is that user's, who must exist; a key that comes is still checked.
provisioner::base::expected<Visitor, http::Response> identify_script(
    const http::Request& request, Directory& directory,
    TrustedHeaders trusted = TrustedHeaders::off);

}  // namespace fcgi::auth
