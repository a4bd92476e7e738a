#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace provisioner::simulation {

/// How the machines of one simulated provider behave: durations, output and accidents. Percentages
/// say how often in a hundred times something happens, 0 to 100. The defaults are instant and free
/// of accidents. A machine keeps the behaviour it was made with, in its ledger.
struct Behaviour {
    /// Selects the accidents: the same seed gives the same ones. 0 to 999,999,999,999.
    std::int64_t seed = 0;
    /// Time from the creation to the first connection. The spread is the largest deviation either
    /// way.
    std::chrono::milliseconds boot{0};
    std::chrono::milliseconds boot_spread{0};
    /// Time of a step that does not state its own, and the largest deviation either way.
    std::chrono::milliseconds step{0};
    std::chrono::milliseconds step_spread{0};
    /// Lines printed by a step that does not state its own number.
    int lines = 1;

    /// Boots that take `slow_boot` longer. Read from a provider's fields, `slow_boot` is a minute
    /// unless stated.
    int slow_boot_percent = 0;
    std::chrono::milliseconds slow_boot{0};
    /// Creations that are reported as failed although the machine exists.
    int half_created_percent = 0;
    /// Creations and removals that are carried out but never answered: the call throws.
    int lost_reply_percent = 0;
    /// Creations that are refused and make nothing. Each further attempt is another draw.
    int quota_percent = 0;
    /// Connections that break halfway through a step; the step goes on.
    int reset_percent = 0;
    /// Steps that never end by themselves, only at their limit or by a stop.
    int hung_percent = 0;
    /// Steps that end with exit code 1.
    int failing_percent = 0;

    /// Whether ledgers of deleted machines are kept, for tests to read.
    bool keep_ledger = false;

    bool operator==(const Behaviour&) const = default;
};

/// One provider field as a form shows it. The simulated provider copies these into its plugin type,
/// so the names of fields exist in one place.
struct BehaviourField {
    /// Name in the provider's JSON; begins with "simulated_".
    std::string name;
    std::string label;
    std::string tip;
    /// The value that applies when the field is empty or missing.
    std::string default_value;
    /// The permitted values; empty for a number.
    std::vector<std::string> options;
    /// The largest number, the smallest being 0.
    std::int64_t most = 0;
};

/// The fields that behaviour_from() reads, in the order of a form.
std::vector<BehaviourField> behaviour_fields();

/// Reads the behaviour from a provider's fields. Numbers may be JSON numbers or their texts; blank
/// fields take their defaults, and unknown fields are ignored. Refused with one Problem for each
/// field that is out of range or of the wrong type. Durations may be up to a day.
base::Checked<Behaviour> behaviour_from(const base::Json& fields);

/// The members of `fields` that behaviour_from() reads and that are not blank. Only these are
/// written to a ledger, so secrets among a provider's fields are not.
base::Json behaviour_part_of(const base::Json& fields);

}  // namespace provisioner::simulation
