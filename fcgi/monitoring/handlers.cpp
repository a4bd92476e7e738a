#include "fcgi/monitoring/handlers.hpp"

#include "fcgi/http/errors.hpp"
#include "fcgi/monitoring/monitor.hpp"
#include "provisioner/metrics/exposition.hpp"

namespace fcgi::monitoring {

http::Response healthz(const http::Request&, const auth::Visitor&, App&) {
    return http::text(200, "ok\n");
}

http::Response readyz(const http::Request&, const auth::Visitor&, App& app) {
    if (app.monitor == nullptr) return http::empty(503);
    const Readiness now = app.monitor->readiness();
    return http::json(now.is_ready() ? 200 : 503, to_json(now));
}

http::Response show_metrics(const http::Request& request, const auth::Visitor&, App& app) {
    const bool may = app.monitor != nullptr && app.monitor->may_read(request);
    if (!may) return http::not_found(request);
    http::Response response = http::empty(200);
    response.body = app.monitor->exposition();
    response.headers.emplace_back("Content-Type", provisioner::metrics::content_type);
    return response;
}

}  // namespace fcgi::monitoring
