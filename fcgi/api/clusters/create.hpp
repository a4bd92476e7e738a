#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// POST /v2/clusters: 200 with {"id":"00000001"} once the job is queued. A request that no layout
/// satisfies is 200 too, as the wire contract has it: it is stored as a terminated cluster with the
/// reason.
///
/// The header Idempotency-Key (at most 255 bytes, outside the wire contract) makes it safe to send
/// the request again. The same key and body get the same cluster; the same key with another body
/// gets 409.
http::Response create_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/preview: what a create would do, without doing it. 422 with every problem and
/// the changes that would help, if it cannot be done. Either answer has "sizes" if they were asked
/// for. Outside the wire contract.
http::Response preview_cluster(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::api
