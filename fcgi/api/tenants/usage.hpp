#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/metrics/queues: tenant name -> {queued, inProgress, total}, numbers of ready and claimed
/// tasks. Admins get their own tenant, superadmins all tenants.
http::Response queue_metrics(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/metrics/nodes/usage: how long nodes existed, in the unit asked for. Filters: tenant,
/// user, cluster, clustertemplate. Only superadmins may ask about another tenant; others get 405,
/// the wire contract's status for that. Outside the wire contract: `cost=true` adds {cost,
/// unpricedSeconds} to each entry, and `format=csv` answers with both as CSV.
http::Response node_usage(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
