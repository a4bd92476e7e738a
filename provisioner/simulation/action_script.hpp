#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace provisioner::simulation {

/// Whole numbers from `least` to `most`.
struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;

    constexpr bool holds(std::int64_t number) const { return number >= least && number <= most; }
};

/// What the members of a SimulatedAction may be; the duration in milliseconds.
inline constexpr Range duration_range{0, 86'400'000};
inline constexpr Range lines_range{0, 100'000};
inline constexpr Range percent_range{0, 100};
inline constexpr Range exit_code_range{1, 255};

/// An action that only takes time, prints and ends. The automator `simulated` makes it from the
/// fields of a service action.
///
/// It travels to the node as a shell script with a machine-readable first line. So the same step
/// works on real nodes, which run the script, and on simulated ones, which read that line.
struct SimulatedAction {
    /// How long it takes. Nothing: the step time of a simulated machine, no time on a real one.
    std::optional<std::chrono::milliseconds> duration = std::nullopt;
    /// How many lines it prints. Nothing: as many as the simulated machine is set to, none on a
    /// real one.
    std::optional<int> lines = std::nullopt;
    /// How often in a hundred runs it fails, 0 to 100.
    int fail_percent = 0;
    /// Exit code of a run that fails; a successful run exits with 0.
    int exit_code = 1;

    bool operator==(const SimulatedAction&) const = default;
};

/// The action as a script for /bin/sh that really waits, prints and ends. Its first line is a
/// comment that action_in() reads.
///
/// Whether a run fails depends on the path of the script, which contains the step's key. So a
/// second attempt is another draw. `label` is the step's label and begins each printed line.
std::string script_of(const SimulatedAction& action, std::string_view label);

/// The action that a script of script_of() stands for; nothing for any other script, or one with
/// a number out of its range: people may write such a line themselves.
std::optional<SimulatedAction> action_in(std::string_view script);

/// One line of output: line `number` (from 1) of `count`, with its line end. Simulated sessions
/// print the same text as the script.
std::string printed_line(std::string_view label, int number, int count);

/// The line that a deliberately failing run prints on standard error, with its line end.
std::string failure_line(std::string_view label);

}  // namespace provisioner::simulation
