#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /clusters and /clusters?status=terminated
http::Response list_clusters(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /clusters/{id}: the number as the API writes it, or without the zeros.
http::Response show_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /clusters/{id}/tasks/{task}: everything the task printed.
http::Response show_task(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
