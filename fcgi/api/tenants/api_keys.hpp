#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/profile/apikeys (ours, as the next two): the caller's keys, not what to use them with.
http::Response list_api_keys(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/profile/apikeys: a new key; the answer is the only place it can be seen.
http::Response create_api_key(const http::Request& request, const auth::Visitor& visitor, App& app);
/// DELETE /v2/profile/apikeys/{id}
http::Response delete_api_key(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
