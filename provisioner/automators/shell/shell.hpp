#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Runs a script of the tenant, or any command, for each action. Bootstrap brings the live scripts
/// and archives to /var/cache/cooperage/shell on the node. An action runs `script` with `args` in
/// the directory of the scripts.
///
/// A wrapper gives scripts the task's document through coopr_lookup_key, and its most needed values
/// as COOPERAGE_... variables. `script` and `args` are shell text that people write, so they are
/// not quoted.
class ShellAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
