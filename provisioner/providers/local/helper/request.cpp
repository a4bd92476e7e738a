#include "provisioner/providers/local/helper/request.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "provisioner/base/json.hpp"

namespace provisioner::providers::local {

namespace {

/// A member and the option it becomes. A value always follows its option, so no value can be taken
/// for an option.
struct Member {
    std::string_view name;
    const char* option;
};

constexpr std::array start_members{Member{"cluster", "--cluster"},
                                   Member{"hostname", "--hostname"},
                                   Member{"key", "--key"},
                                   Member{"ssh_user", "--user"},
                                   Member{"memory_mb", "--memory-mb"},
                                   Member{"cpus", "--cpus"},
                                   Member{"processes", "--processes"},
                                   Member{"open", "--open"},
                                   Member{"max_hosts", "--max"},
                                   Member{"task", "--task"},
                                   Member{"tenant", "--tenant"}};
constexpr std::array stop_members{Member{"task", "--task"}};

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::span<const Member> members_of(const std::string& verb) {
    if (verb == "start") return start_members;
    if (verb == "stop") return stop_members;
    return {};
}

/// The first thing wrong with the form of the request; empty if nothing is.
std::string trouble_with(const base::Json& request, const std::string& verb) {
    if (!is_one_of(verb, {"start", "status", "stop", "list"}))
        return "verb: \"" + verb + "\" is not start, status, stop or list";
    const auto members = members_of(verb);
    for (const auto& [name, value] : request.items()) {
        const bool known =
            name == "verb" || (name == "name" && verb != "list") ||
            (name == "image" && verb == "start") ||
            std::any_of(members.begin(), members.end(),
                        [&, &key = name](const Member& member) { return member.name == key; });
        if (!known) return "unknown member \"" + name + "\" of " + verb;
        if (!value.is_string()) return name + " is no text";
    }
    return verb == "list" ? "" : name_trouble("name", base::text_at(request, "name"));
}

/// Of two limits; 0 is none.
long lower(long one, long other) {
    if (one == 0 || other == 0) return std::max(one, other);
    return std::min(one, other);
}

std::vector<std::string> words_of(const base::Json& request, const std::string& verb,
                                  const ServeCommand& settings) {
    std::vector<std::string> words = {verb};
    if (verb != "list") words.push_back(base::text_at(request, "name"));
    words.insert(words.end(), {"--state", settings.state});
    if (verb == "start") {
        words.insert(words.end(), {"--root", settings.roots / base::text_at(request, "image"),
                                   "--max", std::to_string(settings.max_hosts), "--processes",
                                   std::to_string(settings.max_processes), "--memory-mb",
                                   std::to_string(settings.memory_mb), "--mix-tenants",
                                   settings.mixes_tenants ? "on" : "off"});
    }
    for (const Member& member : members_of(verb)) {
        const base::Json* value = base::member(request, member.name);
        if (value == nullptr) continue;
        words.insert(words.end(), {member.option, value->get<std::string>()});
    }
    return words;
}

}  // namespace

base::expected<Command, std::string> command_in(std::string_view request,
                                                const ServeCommand& settings) {
    const auto json = base::parse_json(request);
    if (!json || !json->is_object()) {
        return base::unexpected(std::string("the request is no JSON object"));
    }
    const std::string verb = base::text_at(*json, "verb");
    const std::string trouble = trouble_with(*json, verb);
    if (!trouble.empty()) return base::unexpected(trouble);
    const std::string image = base::text_at(*json, "image");
    if (verb == "start" && !is_root_name(image)) {
        return base::unexpected("image: \"" + image +
                                "\" is not the name of a root for local hosts");
    }
    auto command = parse_command_line(words_of(*json, verb, settings));
    if (command) {
        if (auto* start = std::get_if<StartRequest>(&*command)) {
            start->max_hosts = std::min(start->max_hosts, settings.max_hosts);
            start->machine_ports = settings.machine_ports;
            start->most_hosts = settings.max_hosts;
            start->limits.processes = lower(start->limits.processes, settings.max_processes);
        }
    }
    return command;
}

}  // namespace provisioner::providers::local
