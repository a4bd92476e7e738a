#pragma once

#include <functional>
#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/metrics/counters.hpp"

namespace fcgi::http {

/// Answers one request. Called from several threads at once. It must not throw: an exception ends
/// the program. The request's `incoming` is valid during the call only.
using Answer = std::function<Response(Request&)>;

/// Where requests are taken from, and how many at once.
struct ServeOptions {
    /// Path of the unix socket. A file that is already there is replaced.
    std::string socket;
    /// Permissions of the socket. nginx must be able to write to it.
    unsigned mode = 0660;
    /// Number of threads, and so of requests answered at once; 1 to 1000. Further connections wait
    /// in the listen queue.
    int threads = 8;
    /// Counts the threads that have a request, until its answer is sent; null: nobody counts. Must
    /// outlive serve().
    provisioner::metrics::Level* busy = nullptr;
};

/// The options in web.socket, web.socket_mode (octal) and web.threads. Throws std::runtime_error
/// that names the setting if web.socket is missing or another one is out of its range.
ServeOptions serve_options(const provisioner::base::Config& config);

/// Accepts FastCGI requests on a listening socket that does not block until SIGTERM or SIGINT
/// arrives. Then it takes those who have connected already, for at most a second, finishes the
/// requests under way, and returns. The socket goes on listening, for a successor. Throws
/// std::runtime_error if it cannot start.
///
/// Call it before any other thread starts: it blocks both signals first, and threads inherit that.
/// `answer` and `log` must outlive the call. A body is given to `answer` as it comes in; libfcgi
/// discards the part that `answer` did not read.
///
/// nginx must not keep connections (fastcgi_keep_conn off): a kept connection occupies one thread
/// for as long as it is open.
void serve(int socket, const ServeOptions& options, const Answer& answer,
           const provisioner::base::Log& log);

}  // namespace fcgi::http
