#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// POST /tenants/{tenant}/view: from now on the session reads that tenant and changes nothing, with
/// a banner on every page. Leads to the path in the field "next", if there is one.
http::Response view_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /viewing/leave: back to the own tenant. Without a view it only leads to the first page.
http::Response leave_view(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
