#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::simulation {

/// An action that only takes time, prints and ends.
struct SimulatedAction {
    /// Nothing: on a simulated machine as long as steps take there, on a real one no time.
    std::optional<std::chrono::milliseconds> duration = std::nullopt;
    /// Nothing: on a simulated machine as much as steps print there, on a real one nothing.
    std::optional<int> lines = std::nullopt;
    /// How often in a hundred times it fails, and the exit code then.
    int fail_percent = 0;
    int exit_code = 1;

    bool operator==(const SimulatedAction&) const = default;
};

/// The action as a script for /bin/sh that does it for real: it works on every node. Its first line
/// is a comment that action_in() reads. Whether it fails depends on the path it is run by, which
/// carries the step's key: a second attempt is another draw. `label` is what it prints.
std::string script_of(const SimulatedAction& action, std::string_view label);

/// The action a script of script_of() stands for; nothing for any other script.
std::optional<SimulatedAction> action_in(std::string_view script);

/// The line `number` (from 1) of `count` that an action or a simulated step prints, ended.
std::string printed_line(std::string_view label, int number, int count);

/// What a run that fails on purpose says on standard error, ended.
std::string failure_line(std::string_view label);

}  // namespace provisioner::simulation
