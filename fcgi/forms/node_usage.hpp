#pragma once

#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/operations/tenants/usage.hpp"

namespace fcgi::forms {

/// What the query of GET /v2/metrics/nodes/usage asks: start, end, groupby and timeunit; or the
/// wire contract's sentence about the first of them that is wrong.
provisioner::base::expected<provisioner::operations::UsageQuestion, std::string> usage_question(
    const http::Request& request);

}  // namespace fcgi::forms
