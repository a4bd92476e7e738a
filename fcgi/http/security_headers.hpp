#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// `response` with the headers every dynamic answer carries: a Content-Security-Policy that runs
/// and shows only what this site serves itself, no sniffing, no framing, no referrer to other
/// sites, no caching (unless the answer says how), and Strict-Transport-Security where the request
/// came over TLS.
Response with_security_headers(Response response, const Request& request);

}  // namespace fcgi::http
