#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

// A superadmin's view of a tenant: from its begin on the session reads that tenant and changes
// nothing, with a banner on every page. Both beginnings keep in a cookie where the superadmin came
// from, and the end leads back there. No password is asked for: nothing can be changed, superadmins
// see what there is in lists of all tenants anyway, and the log of the tenant has every view.

/// POST /tenants/{tenant}/view: leads to the first page.
http::Response view_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /viewing/open: the page in the field "next", which is one of a cluster ("/clusters/42" and
/// below). If that cluster is another tenant's, the view of that tenant begins. Lists of all
/// tenants have buttons for it in place of links: a GET changes nothing.
http::Response open_elsewhere(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /viewing/leave: back to the own tenant, and to the page in the field "next", or where the
/// view began, or that of the tenant. Without a view it only leads there.
http::Response leave_view(const http::Request& request, const auth::Visitor& visitor, App& app);

/// The path below the prefix, with its query, of the page on which a form was sent, as the browser
/// says. Empty if it is none of this site, or the form does not say it.
std::string came_from(const http::Request& request);

}  // namespace fcgi::pages
