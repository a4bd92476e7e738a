#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs a service as a container, by docker or podman. Install pulls its image or loads it from an
/// archive; start, stop and remove work on the container with the labels of this cluster, service
/// and node, which is made again only when what it is made of has changed.
class DockerAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
