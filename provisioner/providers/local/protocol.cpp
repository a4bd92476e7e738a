#include "provisioner/providers/local/protocol.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "provisioner/base/ids.hpp"

namespace provisioner::providers::local {

namespace {

/// Bytes of an answer that a message shows.
constexpr std::size_t shown_of_answer = 500;

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
    const std::string processes = setting(spec, "processes");
    if (!processes.empty() && !processes_in(processes)) {
        problems.push_back({"processes", "\"" + processes + "\" is not " + rule_of_processes()});
    }
    const std::string cpus = setting(spec, "cpus");
    if (!cpus.empty() && !cpus_in(cpus)) {
        problems.push_back({"cpus", "\"" + cpus + "\" is not " + rule_of_cpus()});
    }
}

void check_image(const MachineSpec& spec, base::Problems& problems) {
    if (is_root_name(spec.image)) return;
    problems.push_back(
        {"image", "\"" + spec.image + "\" is not the name of a root for local hosts"});
}

Refused refusal_of(const std::string& kind, const std::string& message) {
    return {.message = message,
            .worth_retrying = kind == "limit" || kind == "failure",
            .nothing_created = kind != "failure"};
}

[[noreturn]] void not_understood(const std::string& answer) {
    throw std::runtime_error("the helper for local hosts gave no usable answer: " +
                             (answer.empty() ? "nothing" : answer.substr(0, shown_of_answer)));
}

/// What the helper printed, without the last line.
struct Answer {
    std::vector<base::Json> lines;
    /// From the last line.
    long long exit_code = 0;
};

Answer answer_in(const std::string& text) {
    Answer answer;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        auto json = base::parse_json(line);
        if (!json) not_understood(text);
        answer.lines.push_back(std::move(*json));
    }
    const base::Json* end =
        answer.lines.empty() ? nullptr : base::member(answer.lines.back(), "exit_code");
    if (end == nullptr || !end->is_number_integer() || !text.ends_with('\n')) not_understood(text);
    answer.exit_code = end->get<long long>();
    answer.lines.pop_back();
    return answer;
}

void add(base::Json& request, const char* member, const std::string& value) {
    if (!value.empty()) request[member] = value;
}

base::Json request_for(const char* verb, const std::string& name) {
    base::Json request;
    request["verb"] = verb;
    add(request, "name", name);
    return request;
}

std::string list_of(const std::vector<std::string>& parts) {
    std::string list;
    for (const std::string& part : parts) list += (list.empty() ? "" : ",") + part;
    return list;
}

void add_task(base::Json& request, long long task) {
    if (task > 0) request["task"] = std::to_string(task);
}

std::string line_of(const base::Json& request) {
    return base::to_text(request) + "\n";
}

}  // namespace

base::Checked<std::string> start_request(const Settings& settings, const base::Json& fields,
                                         const MachineSpec& spec) {
    base::Problems problems;
    check_image(spec, problems);
    check_hardware(spec, problems);
    const long allowed = hosts_allowed(settings, fields, problems);
    if (!problems.empty()) return base::unexpected(problems);
    base::Json request = request_for("start", spec.name);
    add(request, "image", spec.image);
    add(request, "hostname", spec.hostname);
    add(request, "cluster", spec.cluster);
    add(request, "ssh_user", spec.ssh_user);
    add(request, "key", spec.authorized_key);
    add(request, "memory_mb", setting(spec, "memory_mb"));
    add(request, "cpus", setting(spec, "cpus"));
    add(request, "processes", setting(spec, "processes"));
    add(request, "max_hosts", std::to_string(allowed));
    add_task(request, spec.task);
    add(request, "tenant", spec.tenant);
    add(request, "open", list_of(spec.open_ports));
    return line_of(request);
}

std::string status_request(const std::string& name) {
    return line_of(request_for("status", name));
}

std::string stop_request(const std::string& name, long long task) {
    base::Json request = request_for("stop", name);
    add_task(request, task);
    return line_of(request);
}

std::string list_request() {
    return line_of(request_for("list", ""));
}

std::variant<Host, Refused> read_answer(const std::string& text) {
    const Answer answer = answer_in(text);
    if (answer.lines.size() != 1) not_understood(text);
    const base::Json& json = answer.lines.front();
    const std::string kind = base::text_at(json, "error");
    if (!kind.empty()) return refusal_of(kind, base::text_at(json, "message"));
    if (answer.exit_code != 0 || base::text_at(json, "name").empty()) not_understood(text);
    return Host{.name = base::text_at(json, "name"),
                .state = base::text_at(json, "state"),
                .address = base::text_at(json, "address"),
                .host_key = base::text_at(json, "host_key"),
                .ssh_user = base::text_at(json, "ssh_user"),
                .limits = base::text_at(json, "limits")};
}

std::vector<SeenMachine> read_list(const std::string& text) {
    const Answer answer = answer_in(text);
    if (answer.exit_code != 0) not_understood(text);
    std::vector<SeenMachine> machines;
    for (const base::Json& json : answer.lines) {
        const std::string name = base::text_at(json, "name");
        machines.push_back({.id = name, .name = name});
        const std::string address = base::text_at(json, "address");
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
