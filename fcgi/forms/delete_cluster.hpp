#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::forms {

/// How a cluster is to be deleted.
struct DeleteCluster {
    /// Fields of its provider; an empty object when none were given.
    provisioner::base::Json provider_fields = provisioner::base::Json::object();
    /// Without its machines, and whatever is under way.
    bool force = false;
};

/// Reads the optional body {"providerFields":{...},"force":false}. Null stands for no body.
provisioner::base::Checked<DeleteCluster> delete_cluster(const provisioner::base::Json& json);

}  // namespace fcgi::forms
