#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// POST /v2/clusters: {"id":"00000001"}. A request no layout can satisfy is stored as a terminated
/// cluster with the reason, as the wire contract has it. The header Idempotency-Key (ours) makes it
/// safe to send again within a day.
http::Response create_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/preview (ours): what a create would do, without doing it; 422 with every
/// problem and what would help if it cannot. Either with "sizes", if asked for.
http::Response preview_cluster(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
