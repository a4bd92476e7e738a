#pragma once

#include "fcgi/http/message.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/refusal.hpp"

namespace fcgi::api {

/// The wire contract's answer to a refused operation: 400, 403, 404 or 409 with the first message
/// as text, or 400 with
/// {"missingFields":[...]}. An unsatisfiable one is 422 with every reason on a line of its own;
/// only calls that are ours answer so.
http::Response refused(const provisioner::operations::Refusal& refusal);

/// 200 without a body when it was done; else what refused() says.
http::Response done_or_refused(const provisioner::operations::Result<void>& result);

/// What calls that are ours say of it: {"problems":[{field, message}]}, and "missingFields"
/// where it is about them, "remedies":[{in, text}] where some would help; `in` is what would have
/// to be changed: "request" or "template".
provisioner::base::Json problems_json(const provisioner::operations::Refusal& refusal);

/// The same for calls that are ours and have texts of their own: what is not there or does not fit
/// is 404 or 409 as text, missing fields are 400, everything else 422 with the problems.
http::Response refused_ours(const provisioner::operations::Refusal& refusal);

/// 400 `invalid input` for a value of the wrong shape, `invalid input: <reason>` for one that
/// breaks a rule.
http::Response invalid_input(const provisioner::base::Problems& problems);

/// 400: the id in the path is no number.
http::Response no_cluster_id(const http::Request& request);

}  // namespace fcgi::api
