#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// A GET's 200 with a strong ETag of its body; or 304 without a body when the request's
/// If-None-Match has that tag already. Other answers stay as they are. Clients may keep such an
/// answer but must ask before they use it again. Source: RFC 9110 sections 8.8.3, 13.1.2, 15.4.5.
Response conditional(Response response, const Request& request);

}  // namespace fcgi::http
