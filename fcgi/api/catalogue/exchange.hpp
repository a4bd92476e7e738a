#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/export: the newest version of every entry of the tenant, an array for each collection.
/// Secrets are masked.
http::Response export_catalogue(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// POST /v2/import: replaces the tenant's whole catalogue, in one transaction. A collection that is
/// not mentioned ends up empty. 400 with the first problem and nothing changed if an entry is
/// wrong.
http::Response import_catalogue(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// POST /v2/resolve: the template of the body, merged with the templates it extends and includes.
/// Nothing is stored, and its `version` is always 1.
http::Response resolve_template(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::api
