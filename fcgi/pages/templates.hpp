#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /templates: what the visitor can build from.
http::Response list_templates(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
