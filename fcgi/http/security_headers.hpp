#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// Adds the headers that every dynamic answer carries:
/// * Content-Security-Policy: scripts, styles and images from this site only (images also as data
///   URLs), no framing;
/// * X-Content-Type-Options, Referrer-Policy and the cross-origin policies: no sniffing, nothing to
///   other sites;
/// * Cache-Control: no-store, unless the response sets its own;
/// * Strict-Transport-Security for one year, if the request came over TLS.
///
/// Static files do not pass here: nginx serves them.
Response with_security_headers(Response response, const Request& request);

}  // namespace fcgi::http
