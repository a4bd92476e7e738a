#pragma once

#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace provisioner::operations {

/// Why the present nodes do not keep what a version of a template demands, a sentence each: its
/// size, the types and services it allows, and its constraints. Empty: they keep all of it. Pure.
std::vector<std::string> template_misfits(const model::ClusterTemplate& cluster_template,
                                          const std::vector<std::string>& services,
                                          const std::vector<model::Node>& nodes);

}  // namespace provisioner::operations
