#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/remote/steps.hpp"
#include "provisioner/simulation/behaviour.hpp"

namespace provisioner::simulation {

/// A machine that was made. Time alone makes it boot.
struct MadeMachine {
    base::Timestamp made_at{};
    std::chrono::milliseconds boot{0};
    std::string hostname;
    /// The task it was made for.
    long long task = 0;
    Behaviour behaviour;

    base::Timestamp booted_at() const { return made_at + boot; }
};

/// What becomes of a step once it has begun, decided before it begins.
struct StepCourse {
    std::string label;
    std::chrono::milliseconds takes{0};
    /// Does not end by itself, whatever `takes` says.
    bool hangs = false;
    std::chrono::milliseconds limit{0};
    int exit_code = 0;
    int lines = 0;

    bool operator==(const StepCourse&) const = default;
};

/// A step that has begun. Time alone makes it print and end.
struct BegunStep {
    StepCourse course;
    base::Timestamp began_at{};
    /// The highest fence that asked.
    long long fence = 0;
    /// How often somebody asked for it, the first time included.
    int asked = 0;
    /// When somebody had it stopped; the beginning when it was stopped before it began.
    std::optional<base::Timestamp> stopped_at = std::nullopt;
};

/// The course of a step by the seed, the machine and the step's key; `run` says what it would like
/// when it is a SimulatedAction.
StepCourse course_of(const Behaviour& behaviour, const std::string& machine, const std::string& key,
                     const remote::Run& run);

/// When it ends: by itself, at its limit or when it is stopped.
base::Timestamp end_of(const BegunStep& step);

/// How many of its lines it has printed by `now`; they come evenly over its time.
int lines_by(const BegunStep& step, base::Timestamp now);

/// How it ends, in the words of a real node's wrapper: "exit 7", "expired" or "stopped".
std::string ending_of(const BegunStep& step);

/// One machine's ledger, made of records that were only ever appended, and in whose order everybody
/// agrees: the first that begins a step has begun it, the later ones join.
class Ledger {
 public:
    /// Takes in records, a line of JSON each; what lacks its line end is kept for the next call.
    /// Throws std::runtime_error for a line that is no record.
    void read(std::string_view text);

    /// The machine; null while none was made.
    const MadeMachine* machine() const { return machine_ ? &*machine_ : nullptr; }

    /// How many creations were refused.
    int refusals() const { return refusals_; }

    /// The step of that key; null when it has not begun.
    const BegunStep* step(std::string_view key) const;

    /// How many steps have begun.
    std::size_t steps() const { return steps_.size(); }

 private:
    void take_in(const base::Json& record);
    void begin(const std::string& key, const base::Json& record);
    void stop(const std::string& key, const base::Json& record);

    std::string rest_;
    std::optional<MadeMachine> machine_;
    int refusals_ = 0;
    std::map<std::string, BegunStep, std::less<>> steps_;
    /// Steps that were stopped before they began.
    std::set<std::string> never_to_begin_;
};

/// The records. `fields` are the provider's; what the machine's behaviour depends on goes along.
base::Json made_record(base::Timestamp now, const std::string& hostname,
                       std::chrono::milliseconds boot, const base::Json& fields,
                       long long task = 0);
base::Json refused_record(base::Timestamp now);
base::Json begun_record(base::Timestamp now, const remote::StepKey& key, const StepCourse& course);
base::Json joined_record(base::Timestamp now, const remote::StepKey& key);
base::Json stopped_record(base::Timestamp now, const remote::StepKey& key);
base::Json gone_record(base::Timestamp now);

}  // namespace provisioner::simulation
