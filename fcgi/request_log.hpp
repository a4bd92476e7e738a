#pragma once

#include <chrono>

#include "fcgi/http/message.hpp"
#include "fcgi/routes.hpp"
#include "provisioner/base/log.hpp"

namespace fcgi {

/// Logs the end of a request if an operator should know of it: `request.changed` when it may have
/// changed something and succeeded, `request.slow` when it took more than a second. Not of every
/// request: the web server in front has such a log. What failed was logged with its cause when it
/// failed (http/errors.hpp). Uploads take as long as they are large, so they are never slow.
/// `route` is null when there was none. Health and metrics are not logged: what they say stands in
/// the log when it changes.
void log_end(const provisioner::base::Log& log, const http::Request& request, const Route* route,
             int status, std::chrono::nanoseconds took);

}  // namespace fcgi
