#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/clusters/create.hpp"

namespace fcgi::forms {

/// Reads the body of POST /v2/clusters. Only the shape is looked at here: an absent member is its
/// default, an empty text where a name is expected counts as absent, `initialLeaseDuration` -1 is
/// "what the template says". Whether the request makes sense is the operation's business, which
/// knows the order of the wire contract's checks.
provisioner::base::Checked<provisioner::operations::CreateCluster> create_cluster(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
