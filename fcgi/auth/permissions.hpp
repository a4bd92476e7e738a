#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// Who may use a route.
enum class Need {
    /// Everybody, logged in or not.
    nobody,
    /// Whoever proved who they are.
    user,
    /// Administrators of their tenant and superadmins.
    admin,
    /// Superadmins.
    superadmin,
};

/// Whether the visitor has what a route needs.
[[nodiscard]] bool satisfies(const Visitor& visitor, Need need);

/// The answer to somebody who has not: for the API 403 with the wire contract's text; a browser
/// that is not logged in goes to the login page and comes back, one that is gets a page that says
/// no.
http::Response refusal(const http::Request& request, const Visitor& visitor, Need need);

}  // namespace fcgi::auth
