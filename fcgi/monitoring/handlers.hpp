#pragma once

#include "fcgi/app.hpp"

namespace fcgi::monitoring {

/// GET /healthz: 200 and "ok". The process answers; nothing else is asked.
http::Response healthz(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /readyz: 200, or 503 when this process cannot serve; JSON that says what is wrong (see
/// Readiness).
http::Response readyz(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /metrics: the text format of Prometheus. 404 for who may not read them, as if there were
/// none.
http::Response show_metrics(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::monitoring
