#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/clusters/configure.hpp"

namespace fcgi::forms {

/// Reads the body of PUT /v2/clusters/{id}/config: `config` must be an object, `restart` is true
/// when absent.
provisioner::base::Checked<provisioner::operations::ConfigureCluster> configure_cluster(
    const provisioner::base::Json& json);

}  // namespace fcgi::forms
