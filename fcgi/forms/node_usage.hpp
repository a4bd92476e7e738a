#pragma once

#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/operations/tenants/usage.hpp"

namespace fcgi::forms {

/// Reads the query of GET /v2/metrics/nodes/usage. All parameters are optional:
/// * `start`, `end`: seconds since 1970, up to the year 9999; `start` must not lie after `end`;
/// * `groupby`: hour, day, week, month (30 days) or year (360 days);
/// * `timeunit`: nanoseconds to days, in any case.
///
/// Returns the wire contract's sentence about the first parameter that is wrong. The filters of
/// that call (tenant, user, cluster, clustertemplate) are read by the handler.
provisioner::base::expected<provisioner::operations::UsageQuestion, std::string> usage_question(
    const http::Request& request);

/// The wire contract's sentence about `start` and `end` of that query, as they were sent.
std::string incorrect_moments(const http::Request& request);

}  // namespace fcgi::forms
