#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs Chef on the node without a server, by chef-solo or cinc-solo. Bootstrap brings the live
/// cookbooks, data bags and roles to /var/chef and installs Chef where neither is there; an action
/// runs a run list with the cluster's configuration as attributes.
class ChefSoloAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

/// The attributes of a run: `own`, the action's, and the cluster's configuration under them at top
/// level; "nodes" as in the task's document; and "coopr" with cluster, services, hostname,
/// clusterId and ipaddresses, unless the configuration has a "coopr" of its own.
base::Json chef_attributes(const base::Json& own, const base::Json& document);

}  // namespace provisioner::automators
