#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs a service as a container, by docker or podman. Install pulls its image or loads it from an
/// archive. Start, stop and remove work on the container with the labels of this cluster, service
/// and node. Configure and initialize have no steps.
///
/// A container stores a checksum of image, options and environment as a label. Start replaces it
/// only if that checksum has changed; otherwise the container keeps what it has written. Start,
/// stop and remove report the node's containers and ports as facts.
class DockerAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
