#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

// A superadmin's view of a tenant: below /view/{tenant} they read what the tenant's auditors read
// and change nothing, with a banner on every page. Pages at other addresses, also in other tabs,
// are their own. A view begins by a form only, so no link or page of another site begins one. Its
// beginning and its end are recorded; no password is asked for: nothing can be changed, and
// superadmins see what there is in lists of all tenants anyway.

/// POST /viewing/{tenant}: begins the view, and leads to the page of the tenant in the field
/// "next". The field "back" is the page to which its end leads; without it that is the page with
/// the form.
http::Response begin_view(const http::Request& request, const auth::Visitor& visitor, App& app);

/// The page at an address of a view that has not begun: it says which page that is and asks whether
/// to view the tenant. `request` has the address within the view.
http::Response question_of_view(App& app, const auth::Visitor& visitor,
                                const http::Request& request, const std::string& tenant);

/// POST /viewing/{tenant}/leave: ends the view, and leads to the page in the field "next", or to
/// the superadmin's own page on which it was pressed, or where the view began, or to the page of
/// the tenant. Without a view it only leads there.
http::Response leave_view(const http::Request& request, const auth::Visitor& visitor, App& app);

/// The path below the prefix, with its query, of the page on which a link or form was followed, as
/// the browser says. Empty if it is none of this site, of a view, or the browser does not say it.
std::string came_from(const http::Request& request);

}  // namespace fcgi::pages
