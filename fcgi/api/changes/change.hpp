#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// POST /v2/clusters/{id}/services, the wire contract's. Services that find no place are a failed
/// job of a cluster that stays active, as its clients expect.
http::Response add_services(const http::Request& request, const auth::Visitor& visitor, App& app);

/// Ours: POST /v2/clusters/{id}/services/remove, .../grow, .../shrink and
/// .../nodes/{node}/replace. 200 without a body; 404 and 409 as text, 422 with `problems`.
http::Response remove_services(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
http::Response grow_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response shrink_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response replace_node(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
