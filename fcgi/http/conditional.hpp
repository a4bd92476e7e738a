#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// Makes the 200 of a GET conditional: it adds a strong ETag of the body. It answers 304 without a
/// body if the request's If-None-Match already has that tag. Other answers stay as they are. A
/// client may store such an answer but must ask again before it uses it (Cache-Control: private,
/// no-cache); a browser, which comes with a cookie in place of a key, may not (no-store). Saves
/// transfer only: the handler has already done its work. Source: RFC 9110 sections
/// 8.8.3, 13.1.2, 15.4.5.
Response conditional(Response response, const Request& request);

}  // namespace fcgi::http
