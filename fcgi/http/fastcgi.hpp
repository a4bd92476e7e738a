#pragma once

#include <functional>
#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/log.hpp"

namespace fcgi::http {

/// Answers one request; called from several threads at once and must not throw.
using Answer = std::function<Response(Request&)>;

/// Where and how requests are taken.
struct ServeOptions {
    /// Path of the unix socket; a stale one is replaced.
    std::string socket;
    /// Permissions of the socket.
    unsigned mode = 0660;
    /// Requests answered at once.
    int threads = 8;
};

/// Takes FastCGI requests from nginx until SIGTERM or SIGINT arrives: then no more are accepted,
/// those under way are finished, and it returns. Call it before any other thread is started,
/// because those signals are blocked first. A body is given to
/// `answer` as it comes in (Request::incoming); what of it was not read is thrown away. Throws
/// std::runtime_error if it cannot listen.
///
/// nginx must not keep connections (fastcgi_keep_conn off): a kept connection holds one thread for
/// ever.
void serve(const ServeOptions& options, const Answer& answer, const provisioner::base::Log& log);

}  // namespace fcgi::http
