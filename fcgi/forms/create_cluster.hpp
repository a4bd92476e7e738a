#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/clusters/create.hpp"

namespace fcgi::forms {

/// Reads the body of POST /v2/clusters. It checks shape only, and the length of the description.
/// The operation checks the rest, because the wire contract fixes the order of those checks.
///
/// An absent member gets its default; `numMachines` then is 0. An empty string where a name is
/// expected counts as absent. `initialLeaseDuration` is milliseconds, or a number and one of d, h,
/// m, s; -1 means the template's value, 0 for ever. `config` absent or null means the template's
/// configuration. Idempotency-Key is a header: the handler adds it.
provisioner::base::Checked<provisioner::operations::CreateCluster> create_cluster(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
