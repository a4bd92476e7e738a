#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /docs/api: the description of the API, to read and to try out. Open to everybody, as the
/// description itself is.
http::Response show_api(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
