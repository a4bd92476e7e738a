#include "provisioner/providers/local/protocol.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "provisioner/base/ids.hpp"

namespace provisioner::providers::local {

namespace {

constexpr auto one_file_name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";

/// Bytes of the program's standard error that a message shows.
constexpr std::size_t shown_of_error = 500;

std::string setting(const MachineSpec& spec, const std::string& name) {
    const auto at = spec.hardware.find(name);
    return at == spec.hardware.end() ? "" : at->second;
}

/// The text of a field that holds a number or a text; empty if it is missing.
std::string field(const base::Json& fields, std::string_view name) {
    const base::Json* value = base::member(fields, name);
    if (value == nullptr || value->is_null()) return "";
    return value->is_string() ? value->get<std::string>() : base::to_text(*value);
}

long hosts_allowed(const Settings& settings, const base::Json& fields, base::Problems& problems) {
    const std::string text = field(fields, "max_hosts");
    if (text.empty()) return settings.max_hosts;
    const auto number = base::parse_number(text);
    if (!number) problems.push_back({"max_hosts", "\"" + text + "\" is no whole number"});
    return std::min(settings.max_hosts, static_cast<long>(number.value_or(settings.max_hosts)));
}

void check_hardware(const MachineSpec& spec, base::Problems& problems) {
    const std::string memory = setting(spec, "memory_mb");
    if (!memory.empty() && !memory_mb_in(memory)) {
        problems.push_back({"memory_mb", "\"" + memory + "\" is not " + rule_of_memory_mb()});
    }
    const std::string cpus = setting(spec, "cpus");
    if (!cpus.empty() && !cpus_in(cpus)) {
        problems.push_back({"cpus", "\"" + cpus + "\" is not " + rule_of_cpus()});
    }
}

void check_image(const MachineSpec& spec, base::Problems& problems) {
    const bool file_name = spec.image.find_first_not_of(one_file_name) == std::string::npos;
    if (!spec.image.empty() && spec.image.front() != '.' && file_name) return;
    problems.push_back(
        {"image", "\"" + spec.image + "\" is not the name of a root for local hosts"});
}

Refused refusal_of(const std::string& kind, const std::string& message) {
    return {.message = message,
            .worth_retrying = kind == "limit" || kind == "failure",
            .nothing_created = kind != "failure"};
}

[[noreturn]] void not_understood(const ProcessResult& result) {
    std::string how = "exit code " + std::to_string(result.exit_code);
    if (result.signal != 0) how = "signal " + std::to_string(result.signal);
    if (result.timed_out) how = "no answer in time";
    throw std::runtime_error("cooperage-local-host gave no usable answer (" + how +
                             "): " + result.err.substr(0, shown_of_error));
}

void add_option(std::vector<std::string>& command, const char* option, const std::string& value) {
    if (value.empty()) return;
    command.emplace_back(option);
    command.push_back(value);
}

std::string number_or_nothing(long long number) {
    return number > 0 ? std::to_string(number) : "";
}

std::vector<std::string> command_for(const Settings& settings, const char* verb,
                                     const std::string& name) {
    return {settings.program, verb, name, "--state", settings.state_dir};
}

}  // namespace

base::Checked<std::vector<std::string>> start_command(const Settings& settings,
                                                      const base::Json& fields,
                                                      const MachineSpec& spec) {
    base::Problems problems;
    check_image(spec, problems);
    check_hardware(spec, problems);
    const long allowed = hosts_allowed(settings, fields, problems);
    if (!problems.empty()) return base::unexpected(problems);
    std::vector<std::string> command = command_for(settings, "start", spec.name);
    add_option(command, "--root", settings.roots_dir + "/" + spec.image);
    add_option(command, "--hostname", spec.hostname);
    add_option(command, "--cluster", spec.cluster);
    add_option(command, "--user", spec.ssh_user);
    add_option(command, "--key", spec.authorized_key);
    add_option(command, "--memory-mb", setting(spec, "memory_mb"));
    add_option(command, "--cpus", setting(spec, "cpus"));
    add_option(command, "--max", std::to_string(allowed));
    add_option(command, "--task", number_or_nothing(spec.task));
    return command;
}

std::vector<std::string> status_command(const Settings& settings, const std::string& name) {
    return command_for(settings, "status", name);
}

std::vector<std::string> stop_command(const Settings& settings, const std::string& name,
                                      long long task) {
    std::vector<std::string> command = command_for(settings, "stop", name);
    add_option(command, "--task", number_or_nothing(task));
    return command;
}

std::vector<std::string> list_command(const Settings& settings) {
    return {settings.program, "list", "--state", settings.state_dir};
}

std::variant<Host, Refused> read_answer(const ProcessResult& result) {
    const auto json = base::parse_json(result.out);
    if (result.timed_out || result.signal != 0 || !json) not_understood(result);
    const std::string kind = base::text_at(*json, "error");
    if (!kind.empty()) return refusal_of(kind, base::text_at(*json, "message"));
    if (result.exit_code != 0 || base::text_at(*json, "name").empty()) not_understood(result);
    return Host{.name = base::text_at(*json, "name"),
                .state = base::text_at(*json, "state"),
                .address = base::text_at(*json, "address"),
                .host_key = base::text_at(*json, "host_key"),
                .ssh_user = base::text_at(*json, "ssh_user"),
                .limits = base::text_at(*json, "limits")};
}

std::vector<SeenMachine> read_list(const ProcessResult& result) {
    if (result.timed_out || result.exit_code != 0) not_understood(result);
    std::vector<SeenMachine> machines;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
        const auto json = base::parse_json(line);
        if (!json) not_understood(result);
        const std::string name = base::text_at(*json, "name");
        machines.push_back({.id = name, .name = name});
        const std::string address = base::text_at(*json, "address");
        if (!address.empty()) machines.back().addresses["access_v4"] = address;
    }
    return machines;
}

Machine machine_of(const Host& host) {
    base::Json facts = base::Json::object();
    facts["providerid"] = host.name;
    facts["ssh-auth"]["user"] = host.ssh_user;
    const auto blank = host.host_key.find(' ');
    if (blank != std::string::npos)
        facts["ssh_host_keys"]["ed25519"] = host.host_key.substr(blank + 1);
    facts["limits"] = host.limits;
    return {.id = host.name, .facts = facts};
}

Reachable reachable_of(const Host& host) {
    return {.addresses = {{"access_v4", host.address}, {"bind_v4", host.address}},
            .host_key = host.host_key,
            .hostname = {}};
}

}  // namespace provisioner::providers::local
