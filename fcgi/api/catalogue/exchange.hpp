#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/export: the newest version of everything in the catalogue.
http::Response export_catalogue(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// POST /v2/import: replaces the whole catalogue.
http::Response import_catalogue(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// POST /v2/resolve: what the template of the body comes to with what it extends and includes;
/// nothing is stored.
http::Response resolve_template(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::api
