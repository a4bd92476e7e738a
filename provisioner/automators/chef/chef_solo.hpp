#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs Chef on the node without a server, by cinc-solo or chef-solo. Bootstrap brings the live
/// cookbooks, data bags and roles to /var/chef and installs Chef if neither is there. An action
/// runs a run list with the cluster's configuration as attributes.
///
/// Paths and attributes are those of Coopr, whose cookbooks depend on them (README.md,
/// "chef-solo").
class ChefSoloAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

/// The attributes of a run. `own` are the action's and lie over the cluster's configuration, at top
/// level and below. "nodes" comes from the task's document. "coopr" holds cluster, services,
/// hostname, clusterId and ipaddresses, unless the configuration has a "coopr" of its own.
base::Json chef_attributes(const base::Json& own, const base::Json& document);

}  // namespace provisioner::automators
