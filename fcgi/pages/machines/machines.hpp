#pragma once

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::pages {

/// GET /machines?tenants=all&state=failed&q=text&after=00000042-1003: the machines of the clusters
/// that the visitor may see and that are not terminated. One read transaction. Looks at a limited
/// number of machines; where that ends before the page is full, the page leads to the rest.
http::Response list_machines_of_clusters(const http::Request& request, const auth::Visitor& visitor,
                                         App& app);

}  // namespace fcgi::pages
