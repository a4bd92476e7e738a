#pragma once

#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace fcgi::forms {

/// What POST /v2/getNodeProperties asks for.
struct NodeQuestion {
    std::string cluster;
    /// Names of properties; empty: all of them.
    std::vector<std::string> properties;
    /// Nodes that have all of these services.
    std::vector<std::string> services;
};

/// {"clusterId", "properties", "services"}; the first is required.
provisioner::base::Checked<NodeQuestion> node_question(const provisioner::base::Json& json);

/// A node as GET /v2/nodes shows it; of a service only the name counts. Its number is not read.
provisioner::base::Checked<provisioner::model::Node> node(const provisioner::base::Json& json);

}  // namespace fcgi::forms
