#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace provisioner::simulation {

/// How simulated machines behave: how long things take and what goes wrong, how often in a hundred
/// times. As it is here everything is instant and perfect.
struct Behaviour {
    /// Another seed, other accidents.
    std::int64_t seed = 0;
    std::chrono::milliseconds boot{0};
    std::chrono::milliseconds boot_spread{0};
    std::chrono::milliseconds step{0};
    std::chrono::milliseconds step_spread{0};
    /// Lines a step prints that does not say how many itself.
    int lines = 1;

    /// Boots that take `slow_boot` longer.
    int slow_boot_percent = 0;
    std::chrono::milliseconds slow_boot{0};
    /// Machines whose creation is told to have failed although they exist.
    int half_created_percent = 0;
    /// Creations and removals that are done and never answered.
    int lost_reply_percent = 0;
    /// Creations that are refused, and make nothing.
    int quota_percent = 0;
    /// Connections that break in the middle of a step, which goes on.
    int reset_percent = 0;
    /// Steps that never end by themselves.
    int hung_percent = 0;
    /// Steps that end with an exit code other than 0.
    int failing_percent = 0;

    /// Whether the ledger of a machine that is gone is kept, for tests to read.
    bool keep_ledger = false;

    bool operator==(const Behaviour&) const = default;
};

/// What a form says of one field of a provider.
struct BehaviourField {
    std::string name;
    std::string label;
    std::string tip;
    std::string default_value;
    /// Empty for a number.
    std::vector<std::string> options;
};

/// The fields behaviour_from() reads, in the order of a form.
std::vector<BehaviourField> behaviour_fields();

/// Reads a provider's fields, numbers or the texts of numbers; others are not looked at. Problems
/// name the field that is wrong.
base::Checked<Behaviour> behaviour_from(const base::Json& fields);

/// Only those of `fields` that behaviour_from() reads.
base::Json behaviour_part_of(const base::Json& fields);

}  // namespace provisioner::simulation
