#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// The description of the whole API, an OpenAPI 3.1 document: the files of fcgi/api/openapi put
/// together, the paths of each collection, kind of plugins and action on services from one text,
/// and with what is so for every call (who is refused, conditional reads, ids of requests) added to
/// each.
provisioner::base::Json openapi_document();

/// GET /v2/openapi.json.
http::Response show_openapi(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
