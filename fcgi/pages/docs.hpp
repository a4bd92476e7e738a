#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// What views/docs/api lists where no script runs: the calls of an OpenAPI document, grouped by
/// their first tag in the order of the document's tags; each with method, path and summary.
provisioner::base::Json calls_json(const provisioner::base::Json& document);

/// GET /docs/api: the API's description, to read and to try out. static/js/api.js draws it from
/// /v2/openapi.json. Open to everybody, as the description itself. The page works without a login;
/// calls tried out from it use the session of the browser.
http::Response show_api(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
