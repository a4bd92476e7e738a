#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs `puppet apply` on the node, without a server. Bootstrap brings the live modules, manifests
/// and Hiera data and installs Puppet if it is missing. An action applies a manifest or a list of
/// classes. The cluster's configuration is Hiera data, and the cluster is the fact "cooperage".
///
/// Hiera looks into the action's data first, then the cluster's, then uploaded data. Percent signs
/// in the configuration are escaped, so Hiera interpolates nothing in it.
class PuppetAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
