#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/metrics/queues: what is waiting and under way, by tenant; superadmins see all tenants.
http::Response queue_metrics(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/metrics/nodes/usage: how long nodes were there.
http::Response node_usage(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
