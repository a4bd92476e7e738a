#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs `puppet apply` on the node, without a server. Bootstrap brings the live modules, manifests
/// and hiera data and installs Puppet where it is missing; an action applies a manifest, or a list
/// of classes, with the cluster's configuration as hiera data and the cluster as the fact
/// "cooperage".
class PuppetAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
