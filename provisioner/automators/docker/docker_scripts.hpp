#pragma once

#include <string>

namespace provisioner::automators {

/// container on a node: check, pull, load, start, stop or remove the container of a service, by
/// docker or, where that does not answer, by podman. What it works on stands in variables: the
/// task's own (COOPERAGE_CLUSTER_ID, _SERVICE, _NODENUM), and CONTAINER_IMAGE, _ARCHIVE, _NAME,
/// _ENVIRONMENT, _PORTS and _LINKS.
std::string container_script();

}  // namespace provisioner::automators
