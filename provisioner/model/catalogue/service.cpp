#include "provisioner/model/catalogue/service.hpp"

#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/catalogue/ports.hpp"

namespace provisioner::model {

namespace {

using base::Json;

constexpr std::chrono::seconds shortest_limit{1};
constexpr std::chrono::hours longest_limit{24};

DependencyNames read_names(ObjectReader reader) {
    return {.required = reader.names("requires"), .used = reader.names("uses")};
}

Dependencies read_dependencies(ObjectReader reader) {
    reader.require("provides");
    reader.require("conflicts");
    return {.provides = reader.names("provides"),
            .conflicts = reader.names("conflicts"),
            .install = read_names(reader.object("install")),
            .runtime = read_names(reader.object("runtime"))};
}

// Coopr has no limits, so what is told is not its "invalid input" either.
std::optional<std::chrono::milliseconds> read_limit(const std::string& action,
                                                    ObjectReader& reader) {
    const std::string told =
        "The limit of " + action + " must be from 1s to 1d: milliseconds, or such as 90s, 10m, 2h.";
    const auto limit = reader.duration("limit", told);
    if (limit && (*limit < shortest_limit || *limit > longest_limit)) reader.problem("limit", told);
    return limit;
}

ServiceAction read_action(const std::string& word, ObjectReader reader) {
    ServiceAction action;
    const bool readable = !reader.has("type") || reader.value("type")->is_primitive();
    action.type = reader.text("type").value_or("");
    if (action.type.empty() && readable) reader.problem("type", "Type must be specified.");
    action.fields = reader.object("fields").texts();
    action.limit = read_limit(word, reader);
    return action;
}

std::map<Action, ServiceAction> read_actions(ObjectReader& service) {
    std::map<Action, ServiceAction> actions;
    // Absent means no actions, but an explicit null or an object without actions is refused.
    if (!service.mentions("provisioner")) return actions;
    if (!service.has("provisioner")) {
        service.problem("provisioner", "must be an object");
        return actions;
    }
    ObjectReader provisioner = service.object("provisioner");
    provisioner.require("actions");
    ObjectReader all = provisioner.object("actions");
    for (auto& [word, reader] : all.members()) {
        const auto action = base::from_word<Action>(word);
        if (action) {
            actions[*action] = read_action(word, reader);
        } else {
            reader.problem("",
                           "must be one of install, configure, initialize, start, stop, remove");
        }
    }
    return actions;
}

std::vector<std::string> read_ports(ObjectReader& service) {
    std::vector<std::string> ports = service.names("ports");
    for (const std::string& port : ports) {
        if (port_range_in(port)) continue;
        service.problem("ports", "\"" + port + "\" is not of the form 80/tcp or 8000-8100/udp");
    }
    return ports;
}

Json names_json(const DependencyNames& names) {
    return {{"requires", names.required}, {"uses", names.used}};
}

Json dependencies_json(const Dependencies& dependencies) {
    return {{"provides", dependencies.provides},
            {"conflicts", dependencies.conflicts},
            {"install", names_json(dependencies.install)},
            {"runtime", names_json(dependencies.runtime)}};
}

Json actions_json(const std::map<Action, ServiceAction>& actions) {
    Json json = Json::object();
    for (const auto& [action, done] : actions) {
        Json& one = json[base::to_word(action)];
        one = {{"type", done.type}, {"fields", Json(done.fields)}};
        if (done.limit) one["limit"] = done.limit->count();
    }
    return json;
}

}  // namespace

base::Checked<Service> service_from_json(const Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    Service service;
    service.header = read_header(reader);
    service.has_dependencies = reader.has("dependencies");
    if (service.has_dependencies) {
        service.dependencies = read_dependencies(reader.object("dependencies"));
    }
    service.actions = read_actions(reader);
    service.ports = read_ports(reader);
    service.links = read_links(reader);
    return unless_problems(std::move(service), std::move(problems));
}

Json to_json(const Service& service) {
    Json json = header_json(service.header);
    if (service.has_dependencies) json["dependencies"] = dependencies_json(service.dependencies);
    json["provisioner"] = Json::object();
    json["provisioner"]["actions"] = actions_json(service.actions);
    if (!service.ports.empty()) json["ports"] = service.ports;
    json["links"] = links_json(service.links);
    return json;
}

}  // namespace provisioner::model
