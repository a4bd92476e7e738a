#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /clusters: the clusters that are not terminated, 50 on a page. `status=` one of active,
/// pending, failing and terminated shows the others; `before` is the id of the cluster after which
/// the page begins.
http::Response list_clusters(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
