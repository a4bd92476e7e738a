#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/profile/apikeys: the caller's keys with name, scope and times, expired ones too. The
/// keys themselves are not stored. These three calls are outside the wire contract.
http::Response list_api_keys(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/profile/apikeys: creates a key. The answer is the only place where the key itself
/// ("apikey") is shown.
http::Response create_api_key(const http::Request& request, const auth::Visitor& visitor, App& app);
/// DELETE /v2/profile/apikeys/{id}: deletes a key of the caller; 404 for any other id.
http::Response delete_api_key(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
