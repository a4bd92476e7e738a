#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /status: "OK" and a line end, for whoever watches the service.
http::Response server_status(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
