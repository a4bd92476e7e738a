#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Actions that only take time, print and end, as their fields say: on simulated machines without
/// anything being carried out, on real ones by a small script.
class SimulatedAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
