#include "provisioner/simulation/action_script.hpp"

#include "provisioner/base/ids.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::simulation {

namespace {

using base::Json;

constexpr std::string_view mark = "# simulated ";

/// Escapes % and \ so that printf prints the label as it is.
std::string as_format(std::string_view line) {
    std::string format;
    for (const char c : line) {
        if (c == '%') format += '%';
        if (c == '\\') format += '\\';
        format += c;
    }
    return format;
}

std::string seconds_of(std::chrono::milliseconds time) {
    return std::to_string(time.count() / 1000) + "." + base::padded(time.count() % 1000, 3);
}

/// The member `key` that may be absent; clears `fine` when it is no whole number of that range.
std::optional<std::int64_t> number_at(const Json& json, std::string_view key, Range range,
                                      bool& fine) {
    const Json* value = base::member(json, key);
    if (value == nullptr) return std::nullopt;
    const auto number = value->is_number_integer() ? value->get<std::int64_t>() : range.least - 1;
    fine = fine && range.holds(number);
    return number;
}

}  // namespace

std::string printed_line(std::string_view label, int number, int count) {
    return std::string(label) + ": line " + std::to_string(number) + " of " +
           std::to_string(count) + "\n";
}

std::string failure_line(std::string_view label) {
    return std::string(label) + ": simulated failure\n";
}

std::string script_of(const SimulatedAction& action, std::string_view label) {
    Json words = {{"fail_percent", action.fail_percent}, {"exit_code", action.exit_code}};
    if (action.duration) words["duration_ms"] = action.duration->count();
    if (action.lines) words["lines"] = *action.lines;
    std::string script = std::string(mark) + base::to_text(words) + "\n";
    const std::string lines = std::to_string(action.lines.value_or(0));
    script += "line=0\nwhile [ $line -lt " + lines + " ]; do\n    line=$((line + 1))\n    printf " +
              remote::quote(as_format(label) + ": line %s of " + lines + "\\n") + " $line\ndone\n";
    if (action.duration) script += "sleep " + seconds_of(*action.duration) + "\n";
    script += "draw=$(printf %s \"$0\" | cksum | cut -d' ' -f1)\n[ $((draw % 100)) -lt " +
              std::to_string(action.fail_percent) + " ] || exit 0\nprintf %s " +
              remote::quote(failure_line(label)) + " >&2\nexit " +
              std::to_string(action.exit_code) + "\n";
    return script;
}

std::optional<SimulatedAction> action_in(std::string_view script) {
    if (!script.starts_with(mark)) return std::nullopt;
    const auto words = base::parse_json(script.substr(0, script.find('\n')).substr(mark.size()));
    if (!words) return std::nullopt;
    SimulatedAction action;
    bool fine = true;
    if (const auto ms = number_at(*words, "duration_ms", duration_range, fine)) {
        action.duration = std::chrono::milliseconds{*ms};
    }
    if (const auto lines = number_at(*words, "lines", lines_range, fine)) {
        action.lines = static_cast<int>(*lines);
    }
    const auto percent = number_at(*words, "fail_percent", percent_range, fine);
    action.fail_percent = static_cast<int>(percent.value_or(0));
    const auto code = number_at(*words, "exit_code", exit_code_range, fine);
    action.exit_code = static_cast<int>(code.value_or(1));
    if (!fine) return std::nullopt;
    return action;
}

}  // namespace provisioner::simulation
