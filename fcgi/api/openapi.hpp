#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// The description of the whole API, an OpenAPI 3.1 document. It is built from the files of
/// fcgi/api/openapi.
///
/// The paths of each catalogue collection, each kind of plugin and each service action come from
/// one text. Everything that holds for every call is added by code: refusals, conditional reads,
/// paging, request ids. A unit test compares the document with routes() in both directions. Costs
/// milliseconds; show_openapi computes it once.
///
/// `prefix` is what stands before every path of the site, Request::prefix; empty for none. It
/// becomes the address of the server.
provisioner::base::Json openapi_document(const std::string& prefix = "");

/// GET /v2/openapi.json. Open to everybody. The answer is built on the first request and kept.
http::Response show_openapi(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
