#pragma once

#include "fcgi/http/message.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/refusal.hpp"

namespace fcgi::api {

/// The wire contract's answer to a refused operation: 400, 403, 404, 409 or 429 with the first
/// message as text. Missing provider fields are 400 with {"missingFields":[...]}. An unsatisfiable
/// request is 422 with every reason on a line of its own. Too busy is 503 with Retry-After: 3.
http::Response refused(const provisioner::operations::Refusal& refusal);

/// 200 without a body on success, else refused().
http::Response done_or_refused(const provisioner::operations::Result<void>& result);

/// The refusal as JSON for calls outside the wire contract: {"problems":[{field, message}]}.
/// "missingFields" is added for missing provider fields. "remedies":[{in, text}] is added if
/// changes would make the request possible; `in` says what must change: "request" or "template".
provisioner::base::Json problems_json(const provisioner::operations::Refusal& refusal);

/// The answer to a refused call that is outside the wire contract. Invalid and unsatisfiable
/// requests are 422 with problems_json(); every other kind is answered as refused() does.
http::Response refused_ours(const provisioner::operations::Refusal& refusal);

/// 400 "invalid input" for a value of the wrong shape, "invalid input: <reason>" for one that
/// breaks a rule. Only the first problem counts; `problems` must not be empty. The wire contract's
/// answer to wrong catalogue entries and tenants.
http::Response invalid_input(const provisioner::base::Problems& problems);

/// 400: the {id} in the path is not a number. The text is the one the reference server's runtime
/// produced.
http::Response no_cluster_id(const http::Request& request);

}  // namespace fcgi::api
