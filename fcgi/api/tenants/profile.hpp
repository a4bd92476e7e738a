#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/profile: the JSON object that clients store for the caller; 404 without a body if there
/// is none.
http::Response show_profile(const http::Request& request, const auth::Visitor& visitor, App& app);
/// PUT /v2/profile: replaces it by any JSON object. The server does not interpret it.
http::Response replace_profile(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
/// DELETE /v2/profile: 200 also if there is none.
http::Response delete_profile(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
