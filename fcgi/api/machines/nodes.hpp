#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/nodes: the nodes of all clusters that the caller sees and that are not terminated,
/// newest cluster first.
http::Response list_nodes(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /v2/nodes/{id}: by uuid. 404 also for a node of a cluster that the caller may not see.
http::Response show_node(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/nodes: stores a record of a node that is not known yet. Superadmins correct records by
/// hand with this and the next two calls; nothing is done on any machine. 409 while the cluster is
/// pending or terminated.
http::Response create_node(const http::Request& request, const auth::Visitor& visitor, App& app);
/// PUT /v2/nodes/{id}: stores a record of a node, known or not. A known node keeps its cluster and
/// number.
http::Response replace_node_record(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);
/// DELETE /v2/nodes/{id}: deletes the record. 409 if tasks were ever planned for it; 204 also if it
/// does not exist.
http::Response delete_node(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/getNodeProperties: an object of node id -> properties, empty for a cluster that the
/// caller may not see. Scripts on nodes use it to find other nodes.
http::Response node_properties(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
