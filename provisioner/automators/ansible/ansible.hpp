#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs Ansible on the node itself, so that one slow node holds nobody up. Bootstrap brings the
/// live roles and playbooks and installs ansible-core where it is missing; an action runs a
/// playbook, or a play of roles, with the whole cluster as the inventory and this node as the
/// limit.
class AnsibleAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
