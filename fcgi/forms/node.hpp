#pragma once

#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace fcgi::forms {

/// The body of POST /v2/getNodeProperties.
struct NodeQuestion {
    /// The cluster's id as sent; empty if it is missing. The handler checks it.
    std::string cluster;
    /// Names of the properties to return; empty means all.
    std::vector<std::string> properties;
    /// Only nodes with all of these services; empty means every node.
    std::vector<std::string> services;
};

/// Reads {"clusterId", "properties", "services"}. Problems are about shape only: `clusterId` may be
/// a number or a string, and the lists may be absent.
provisioner::base::Checked<NodeQuestion> node_question(const provisioner::base::Json& json);

/// Reads a node in the form GET /v2/nodes shows, for calls that correct a record by hand. Required
/// are `clusterId` and `services`; of a service only the name is read. `nodenum` is not read: the
/// operation assigns it. Texts longer than their column are Problems. A missing `id` gives an empty
/// uuid.
///
/// The user to log in as (`sshuser`) defaults to root. Whether the cluster exists is checked by the
/// operation.
provisioner::base::Checked<provisioner::model::Node> node(const provisioner::base::Json& json);

}  // namespace fcgi::forms
