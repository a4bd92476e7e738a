#pragma once

#include <string>

namespace provisioner::automators {

/// The script `container` on a node: check, pull, load, start, stop or remove the container of a
/// service. It uses docker, or podman if docker does not answer; every action can be repeated.
///
/// Its input are variables: the task's COOPERAGE_CLUSTER_ID, _SERVICE and _NODENUM, and
/// CONTAINER_IMAGE. `load` also reads CONTAINER_ARCHIVE. `start` also reads CONTAINER_NAME,
/// _ENVIRONMENT (a file), _PORTS and _LINKS.
std::string container_script();

}  // namespace provisioner::automators
