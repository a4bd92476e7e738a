#include "provisioner/simulation/behaviour.hpp"

#include <array>
#include <optional>

#include "provisioner/base/ids.hpp"

namespace provisioner::simulation {

namespace {

using std::chrono::milliseconds;

constexpr std::int64_t a_day = 86'400'000;
constexpr std::int64_t any_number = 999'999'999'999;
constexpr auto keep_ledger_field = "simulated_keep_ledger";

struct NumberField {
    const char* name;
    const char* label;
    const char* tip;
    std::int64_t otherwise;
    std::int64_t most;
    void (*set)(Behaviour&, std::int64_t);
};

int as_int(std::int64_t number) {
    return static_cast<int>(number);
}

constexpr std::array numbers{
    NumberField{"simulated_seed", "Seed", "The same seed gives the same accidents", 0, any_number,
                [](Behaviour& b, std::int64_t n) { b.seed = n; }},
    NumberField{"simulated_boot_ms", "Boot time (ms)", "From being made to being reachable", 0,
                a_day, [](Behaviour& b, std::int64_t n) { b.boot = milliseconds{n}; }},
    NumberField{"simulated_boot_spread_ms", "Spread of boot times (ms)",
                "A boot takes so much more or less", 0, a_day,
                [](Behaviour& b, std::int64_t n) { b.boot_spread = milliseconds{n}; }},
    NumberField{"simulated_step_ms", "Step time (ms)",
                "Of steps that do not say themselves how long they take", 0, a_day,
                [](Behaviour& b, std::int64_t n) { b.step = milliseconds{n}; }},
    NumberField{"simulated_step_spread_ms", "Spread of step times (ms)",
                "A step takes so much more or less", 0, a_day,
                [](Behaviour& b, std::int64_t n) { b.step_spread = milliseconds{n}; }},
    NumberField{"simulated_lines", "Lines a step prints",
                "Of steps that do not say themselves how much they print", 1, 100'000,
                [](Behaviour& b, std::int64_t n) { b.lines = as_int(n); }},
    NumberField{"simulated_slow_boot_percent", "Slow boots (%)", "Boots that take longer", 0, 100,
                [](Behaviour& b, std::int64_t n) { b.slow_boot_percent = as_int(n); }},
    NumberField{"simulated_slow_boot_ms", "How much longer a slow boot takes (ms)", "", 60'000,
                a_day, [](Behaviour& b, std::int64_t n) { b.slow_boot = milliseconds{n}; }},
    NumberField{"simulated_half_created_percent", "Half-created machines (%)",
                "The creation fails, but the machine is there", 0, 100,
                [](Behaviour& b, std::int64_t n) { b.half_created_percent = as_int(n); }},
    NumberField{"simulated_lost_reply_percent", "Lost replies (%)",
                "A machine is made or removed, but nobody says so", 0, 100,
                [](Behaviour& b, std::int64_t n) { b.lost_reply_percent = as_int(n); }},
    NumberField{"simulated_quota_percent", "Quota errors (%)", "Creations that are refused", 0, 100,
                [](Behaviour& b, std::int64_t n) { b.quota_percent = as_int(n); }},
    NumberField{"simulated_reset_percent", "Connections that break (%)",
                "In the middle of a step, which goes on", 0, 100,
                [](Behaviour& b, std::int64_t n) { b.reset_percent = as_int(n); }},
    NumberField{"simulated_hung_percent", "Hung steps (%)", "Steps that never end by themselves", 0,
                100, [](Behaviour& b, std::int64_t n) { b.hung_percent = as_int(n); }},
    NumberField{"simulated_failing_percent", "Failing steps (%)", "Steps that end with exit code 1",
                0, 100, [](Behaviour& b, std::int64_t n) { b.failing_percent = as_int(n); }},
};

std::optional<std::int64_t> number_in(const base::Json& value) {
    if (value.is_string()) return base::parse_number(value.get<std::string>());
    if (!value.is_number_integer()) return std::nullopt;
    return value.get<std::int64_t>();
}

bool is_blank(const base::Json* value) {
    return value == nullptr || value->is_null() || *value == "";
}

void read_number(const NumberField& field, const base::Json& fields, Behaviour& behaviour,
                 base::Problems& problems) {
    const base::Json* value = base::member(fields, field.name);
    const auto number = is_blank(value) ? field.otherwise : number_in(*value);
    if (!number || *number < 0 || *number > field.most) {
        problems.push_back({field.name, "must be a whole number from 0 to " +
                                            std::to_string(field.most) + ", not " +
                                            base::to_text(*value)});
        return;
    }
    field.set(behaviour, *number);
}

void read_keep_ledger(const base::Json& fields, Behaviour& behaviour, base::Problems& problems) {
    const base::Json* value = base::member(fields, keep_ledger_field);
    if (is_blank(value) || *value == "no" || *value == false) return;
    behaviour.keep_ledger = *value == "yes" || *value == true;
    if (behaviour.keep_ledger) return;
    problems.push_back({keep_ledger_field, "must be yes or no, not " + base::to_text(*value)});
}

}  // namespace

std::vector<BehaviourField> behaviour_fields() {
    std::vector<BehaviourField> fields;
    fields.reserve(numbers.size() + 1);
    for (const NumberField& number : numbers) {
        fields.push_back({.name = number.name,
                          .label = number.label,
                          .tip = number.tip,
                          .default_value = std::to_string(number.otherwise),
                          .options = {},
                          .most = number.most});
    }
    fields.push_back({.name = keep_ledger_field,
                      .label = "Keep ledgers of machines that are gone",
                      .tip = "For tests: what ran on each machine, and how often",
                      .default_value = "no",
                      .options = {"no", "yes"}});
    return fields;
}

base::Checked<Behaviour> behaviour_from(const base::Json& fields) {
    Behaviour behaviour;
    base::Problems problems;
    for (const NumberField& field : numbers) read_number(field, fields, behaviour, problems);
    read_keep_ledger(fields, behaviour, problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return behaviour;
}

base::Json behaviour_part_of(const base::Json& fields) {
    base::Json part = base::Json::object();
    for (const BehaviourField& field : behaviour_fields()) {
        const base::Json* value = base::member(fields, field.name);
        if (!is_blank(value)) part[field.name] = *value;
    }
    return part;
}

}  // namespace provisioner::simulation
