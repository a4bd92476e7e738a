#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs Ansible on the node itself, so that a slow node delays no other. Bootstrap brings the live
/// roles and playbooks and installs ansible-core if it is missing. An action runs a playbook, or a
/// play of roles. The whole cluster is the inventory and this node is the limit.
///
/// Fields and variables: README.md, "ansible". Texts of the configuration are marked as unsafe, so
/// braces in them are no templates.
class AnsibleAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
