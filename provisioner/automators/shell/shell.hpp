#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs a script of the tenant, or any command, for each action. Bootstrap brings the live scripts
/// and archives to /var/cache/cooperage/shell on the node; an action runs `script` with `args`
/// there, by a wrapper that offers the task's document through coopr_lookup_key and its most wanted
/// values as COOPERAGE_... variables.
class ShellAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
