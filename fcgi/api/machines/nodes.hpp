#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/nodes: the nodes of the clusters the caller sees that are not terminated.
http::Response list_nodes(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /v2/nodes/{id}
http::Response show_node(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/nodes: a record of a node that is not known yet.
http::Response create_node(const http::Request& request, const auth::Visitor& visitor, App& app);
/// PUT /v2/nodes/{id}: a record of a node, known or not.
http::Response replace_node_record(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);
/// DELETE /v2/nodes/{id}: a record of a node nothing was ever done on.
http::Response delete_node(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/getNodeProperties: node id -> properties.
http::Response node_properties(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
