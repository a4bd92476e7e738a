#include "provisioner/automators/simulated.hpp"

#include <array>
#include <optional>

#include "provisioner/automators/task_fields.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/simulation/action_script.hpp"

namespace provisioner::automators {

namespace {

constexpr auto duration_ms = "duration_ms";
constexpr auto lines = "lines";
constexpr auto exit_code = "exit_code";
constexpr auto fail_percent = "fail_percent";
constexpr auto limit_s = "limit_s";

struct Field {
    const char* name;
    const char* label;
    const char* tip;
    simulation::Range range;
};

constexpr std::array fields{
    Field{duration_ms, "Time it takes (ms)", "Empty: as long as steps take on the machine",
          simulation::duration_range},
    Field{lines, "Lines it prints", "Empty: as many as steps print on the machine",
          simulation::lines_range},
    Field{fail_percent, "Failures (%)",
          "Runs that fail; empty: none, or all of them when there is an exit code",
          simulation::percent_range},
    Field{exit_code, "Exit code of a failure", "Empty: 1", simulation::exit_code_range},
    Field{limit_s,
          "Limit (s)",
          "After so long it is killed; empty: the limit of the action",
          {1, 86'400}},
};

base::Problems problems_with_behaviour(const AutomatorTask& task) {
    base::Problems problems = problems_with_task(task, "simulated");
    for (const Field& field : fields) {
        const std::string* text = field_of(task, field.name);
        if (text == nullptr) continue;
        const auto number = base::parse_number(*text);
        if (number && field.range.holds(*number)) continue;
        problems.push_back({field.name, "must be a whole number from " +
                                            std::to_string(field.range.least) + " to " +
                                            std::to_string(field.range.most) + ", not \"" + *text +
                                            "\""});
    }
    return problems;
}

std::optional<std::int64_t> number_of(const AutomatorTask& task, const char* name) {
    const std::string* text = field_of(task, name);
    return text == nullptr ? std::nullopt : base::parse_number(*text);
}

simulation::SimulatedAction action_of(const AutomatorTask& task) {
    simulation::SimulatedAction action;
    if (const auto ms = number_of(task, duration_ms))
        action.duration = std::chrono::milliseconds{*ms};
    if (const auto count = number_of(task, lines)) action.lines = static_cast<int>(*count);
    const auto code = number_of(task, exit_code);
    action.exit_code = static_cast<int>(code.value_or(1));
    action.fail_percent = static_cast<int>(number_of(task, fail_percent).value_or(code ? 100 : 0));
    return action;
}

}  // namespace

base::Checked<remote::Steps> SimulatedAutomator::compile(const AutomatorTask& task) const {
    if (task.action == model::Action::bootstrap) return remote::Steps{};
    auto problems = problems_with_behaviour(task);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    remote::Run run;
    run.label = label_of(task);
    run.limit = task.limit;
    run.script = simulation::script_of(action_of(task), run.label);
    if (const auto limit = number_of(task, limit_s)) run.limit = std::chrono::seconds{*limit};
    return remote::Steps{run};
}

model::PluginType SimulatedAutomator::type() const {
    model::PluginType type;
    type.header.name = "simulated";
    type.header.label = "Simulated actions";
    type.header.description = "Actions that only take time, print and end";
    type.kind = model::PluginKind::automator;
    for (const Field& offered : fields) {
        auto field = text_field(offered.name, offered.label, offered.tip);
        field.number = model::NumberRange{.least = static_cast<double>(offered.range.least),
                                          .most = static_cast<double>(offered.range.most)};
        type.admin.fields.push_back(std::move(field));
    }
    return type;
}

}  // namespace provisioner::automators
