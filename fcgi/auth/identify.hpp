#pragma once

#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"

namespace fcgi::auth {

/// Who a browser's session cookie says it is; a visitor without caller when there is none or it has
/// run out.
Visitor identify_browser(const http::Request& request, Directory& directory);

/// Who sent an API request. A script says so in the headers Coopr-UserID, Coopr-TenantID (the
/// tenant's name) and Coopr-ApiKey, a key that must be that user's in that tenant; a page's own
/// script by the session cookie, for GET from this site and for anything that carries the session's
/// csrf token in X-CSRF-Token. Otherwise the answer: 401, or 404 for an unknown tenant, with the
/// texts of the wire contract. An unknown user and a wrong key get the same answer.
provisioner::base::expected<Visitor, http::Response> identify_script(const http::Request& request,
                                                                     Directory& directory);

}  // namespace fcgi::auth
