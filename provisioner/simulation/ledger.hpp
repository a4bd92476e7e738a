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

/// A machine that was created, as its first "made" record says. Nothing happens to it afterwards:
/// it is reachable once its boot time has passed.
struct MadeMachine {
    /// When it was created, by the clock of the daemon that did so.
    base::Timestamp made_at{};
    /// How long it boots.
    std::chrono::milliseconds boot{0};
    std::string hostname;
    /// Id of the task it was created for; 0 when unknown. A late removal for an earlier task must
    /// not delete it.
    long long task = 0;
    /// The provider's settings at its creation; later changes of the provider do not apply.
    Behaviour behaviour;

    base::Timestamp booted_at() const { return made_at + boot; }
};

/// The outcome of a step, fixed in its "begun" record before the step begins. Readers of the ledger
/// need only the time to compute the state of the step.
struct StepCourse {
    /// The step's label, which begins each printed line.
    std::string label;
    /// How long it takes unless it hangs or exceeds `limit`.
    std::chrono::milliseconds takes{0};
    /// Whether it does not end by itself, whatever `takes` says.
    bool hangs = false;
    /// When it is killed. A step that takes as long as its limit is killed too.
    std::chrono::milliseconds limit{0};
    /// Exit code, when it ends by itself.
    int exit_code = 0;
    /// Number of lines it prints in all.
    int lines = 0;

    bool operator==(const StepCourse&) const = default;
};

/// A step that has begun, as the records so far describe it.
struct BegunStep {
    StepCourse course;
    /// When its first "begun" record was written.
    base::Timestamp began_at{};
    /// The highest fence of the claims that asked for it. A session with a lower one is refused.
    long long fence = 0;
    /// How many times it was asked for, the first one included.
    int asked = 0;
    /// When it was stopped. Equal to `began_at` when the stop came before the beginning.
    std::optional<base::Timestamp> stopped_at = std::nullopt;
};

/// Decides the course of a step from the seed, the machine and the step's key. A script of a
/// SimulatedAction in `run` sets time, lines and failures itself. The same arguments give the same
/// course, so two claims that race to begin a step agree.
StepCourse course_of(const Behaviour& behaviour, const std::string& machine, const std::string& key,
                     const remote::Run& run);

/// When the step ends: by itself, at its limit, or when it was stopped.
base::Timestamp end_of(const BegunStep& step);

/// How many of its lines the step has printed by `now`. Lines come evenly over its time, and none
/// after a stop.
int lines_by(const BegunStep& step, base::Timestamp now);

/// How the step ends, in the words of a real node's wrapper: "exit 7", "expired" or "stopped".
/// remote::read_answer() reads them.
std::string ending_of(const BegunStep& step);

/// The state of one machine and its steps, computed from the records of its ledger.
///
/// Records are only appended, and their order decides: the first "begun" record begins a step,
/// later ones join it. A stop that precedes the beginning prevents it. So all processes that read
/// the file agree without locks. Time is not part of the state; callers pass it to the functions
/// above.
///
/// Does no I/O (ledger_file.hpp does). Not for use by several threads.
class Ledger {
 public:
    /// Applies records, one JSON object per line. An incomplete last line is kept until the next
    /// call. Throws std::runtime_error for a line that is no record. A step that was joined and
    /// never began is none.
    void read(std::string_view text);

    /// The machine; null while none was made. Valid until the next read().
    const MadeMachine* machine() const { return machine_ ? &*machine_ : nullptr; }

    /// How many creations were refused; the number of the next draw for the quota.
    int refusals() const { return refusals_; }

    /// The step with that key; null when it has not begun. Valid until the next read().
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
    /// Keys of steps that were stopped before they began.
    std::set<std::string> never_to_begin_;
};

/// The records of a ledger, each the JSON object of one line. `now` is stored in microseconds since
/// 1970. A made record keeps only those `fields` of the provider that behaviour_from() reads.
base::Json made_record(base::Timestamp now, const std::string& hostname,
                       std::chrono::milliseconds boot, const base::Json& fields,
                       long long task = 0);
base::Json refused_record(base::Timestamp now);
base::Json begun_record(base::Timestamp now, const remote::StepKey& key, const StepCourse& course);
base::Json joined_record(base::Timestamp now, const remote::StepKey& key);
base::Json stopped_record(base::Timestamp now, const remote::StepKey& key);
base::Json gone_record(base::Timestamp now);

}  // namespace provisioner::simulation
