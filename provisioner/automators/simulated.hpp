#pragma once

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Actions that only take time, print lines and end, as their fields say: duration_ms, lines,
/// fail_percent, exit_code and limit_s. For rehearsals and benchmarks, on any machine.
///
/// An action becomes one Run with a small script. Its first line describes the action: a simulated
/// machine reads that line and only waits, a real one runs the rest. Bootstrap has no steps.
class SimulatedAutomator final : public Automator {
 public:
    base::Checked<remote::Steps> compile(const AutomatorTask& task) const override;
    model::PluginType type() const override;
};

}  // namespace provisioner::automators
