#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/clusters/configure.hpp"

namespace fcgi::forms {

/// Reads the body of PUT /v2/clusters/{id}/config. `config` is required and must be an object; it
/// replaces the cluster's configuration as a whole. `restart` defaults to true, `providerFields` to
/// an empty object. The handler answers every Problem with the same text (400), so their wording
/// matters to tests only.
provisioner::base::Checked<provisioner::operations::ConfigureCluster> configure_cluster(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
