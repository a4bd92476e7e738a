#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// POST /v2/clusters/{id}/services, of the wire contract. If no layout has a place for the
/// services, it answers 200 and stores a failed job; the cluster stays active, as clients of the
/// reference server expect. Malformed bodies are 400.
http::Response add_services(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/{id}/services/remove. This call and the next three are outside the wire
/// contract. They answer 200 without a body once the job is queued. An unknown cluster is 404 and a
/// wrong state 409, both as text. A wrong body, or a change without a layout, is 422 with
/// `problems`.
http::Response remove_services(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
/// POST /v2/clusters/{id}/grow
http::Response grow_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/clusters/{id}/shrink
http::Response shrink_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/clusters/{id}/nodes/{node}/replace; the body is optional.
http::Response replace_node(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
