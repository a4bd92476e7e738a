#include "fcgi/request_log.hpp"

namespace fcgi {

namespace {

constexpr std::chrono::seconds slow{1};

}  // namespace

void log_end(const provisioner::base::Log& log, const http::Request& request, const Route* route,
             int status, std::chrono::nanoseconds took) {
    if (route == nullptr || route->is_anonymous) return;
    const bool is_slow = took > slow && !route->streams_body;
    const bool has_changed = request.method != "GET" && !route->only_reads && status < 400;
    if (!is_slow && !has_changed) return;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
    const auto write = [&](auto level, const char* event) {
        (log.*level)(event, {{"request", request.id},
                             {"method", request.method},
                             {"path", request.path},
                             {"status", status},
                             {"by", request.asked_by},
                             {"client", request.client},
                             {"ms", ms}});
    };
    if (has_changed) write(&provisioner::base::Log::info, "request.changed");
    if (is_slow) write(&provisioner::base::Log::warn, "request.slow");
}

}  // namespace fcgi
