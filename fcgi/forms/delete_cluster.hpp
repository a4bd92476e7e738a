#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::forms {

/// How a cluster is to be deleted.
struct DeleteCluster {
    /// Provider fields for this deletion; an empty object if none were given.
    provisioner::base::Json provider_fields = provisioner::base::Json::object();
    /// True: give the cluster up. It is terminated at once, whatever is under way, without waiting
    /// for its machines to be deleted.
    bool force = false;
};

/// Reads the optional body {"providerFields":{...},"force":false} of DELETE /v2/clusters/{id}. Null
/// stands for no body. `force` may also be the string "true" or "false". Whether the caller may
/// force is checked by the operation.
provisioner::base::Checked<DeleteCluster> delete_cluster(const provisioner::base::Json& json);

}  // namespace fcgi::forms
