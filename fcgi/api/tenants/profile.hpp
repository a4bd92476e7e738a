#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/profile: what the caller keeps about themselves.
http::Response show_profile(const http::Request& request, const auth::Visitor& visitor, App& app);
/// PUT /v2/profile: replaces it by any JSON object.
http::Response replace_profile(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
/// DELETE /v2/profile
http::Response delete_profile(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
