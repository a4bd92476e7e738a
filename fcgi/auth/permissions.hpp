#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// What a visitor needs to use a route. Each step includes the ones below it.
enum class Need {
    /// Open to everybody, logged in or not.
    nobody,
    /// Any identified user.
    user,
    /// Administrators of their tenant, and superadmins.
    admin,
    /// Superadmins, who administer the whole installation.
    superadmin,
};

/// Whether the visitor's role meets the need. It does not look at the scope of an API key: Site
/// does.
[[nodiscard]] bool satisfies(const Visitor& visitor, Need need);

/// The answer to a visitor that does not meet the need.
/// * API: 403 with the wire contract's text.
/// * Page, logged in: 403 with a plain page.
/// * Page, not logged in: 303 to the login page. After a GET, `next` leads back to the page that
///   was asked for.
///
/// Site calls it for whole routes, and a handler for a case that needs more than its route.
http::Response refusal(const http::Request& request, const Visitor& visitor, Need need);

}  // namespace fcgi::auth
