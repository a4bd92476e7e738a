#include "provisioner/automators/docker/docker.hpp"

#include <algorithm>

#include "provisioner/automators/cluster_facts.hpp"
#include "provisioner/automators/docker/docker_scripts.hpp"
#include "provisioner/automators/document_values.hpp"
#include "provisioner/automators/node_files.hpp"
#include "provisioner/automators/resource_files.hpp"
#include "provisioner/automators/task_fields.hpp"
#include "provisioner/automators/tool_packages.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using base::Json;
using model::Action;
using remote::quote;
using remote::Upload;

const std::string docker_home = "/var/cache/cooperage/docker";
const std::string images = docker_home + "/images";
const std::string container = docker_home + "/lib/container";

constexpr auto image_name = "image_name";
constexpr auto image_archive = "image_archive";
constexpr auto environment_variables = "environment_variables";
constexpr auto links = "links";
constexpr auto volumes = "volumes";
constexpr auto publish_ports = "publish_ports";
constexpr auto command = "command";

Tool engine() {
    return {.is_there = "(command -v docker || command -v podman)",
            .name = "Docker",
            .apt = "docker.io podman",
            .yum = "docker podman",
            .otherwise = "",
            .advice =
                "put docker or podman into the image, or let the node reach a source of "
                "packages that has one of them (apt, dnf or yum)"};
}

std::string path_of_archive(const std::string& name) {
    return images + "/" + name + ".tar.gz";
}

remote::Steps bootstrap_docker(const AutomatorTask& task) {
    ResourceFiles files(docker_home);
    for (const Resource& resource : *task.resources) {
        if (resource.type != "images") continue;
        files.add_file(resource, path_of_archive(resource.name), readable);
    }
    remote::Steps steps{
        make_directories({images}, files.recall()), install_step(engine()),
        Upload{.path = container, .content = container_script(), .mode = executable},
        remote::Run{.label = "ask the container engine", .script = container + " check\n"}};
    files.add_to(steps);
    return steps;
}

bool contains_only(std::string_view text, std::string_view others) {
    return std::all_of(text.begin(), text.end(), [&](unsigned char c) {
        return std::isalnum(c) != 0 || others.find(static_cast<char>(c)) != std::string_view::npos;
    });
}

std::vector<std::string> list_of(const AutomatorTask& task, const char* name) {
    const std::string* text = field_of(task, name);
    return text == nullptr ? std::vector<std::string>{} : comma_list(*text);
}

bool is_port(std::string_view text) {
    const auto number = base::parse_number(text);
    return number && *number >= 1 && *number <= 65'535;
}

/// Whether the text looks like an IPv4 address; only the engine can say which ones the host has.
bool is_address(std::string_view text) {
    return text.find_first_not_of("0123456789.") == std::string_view::npos &&
           std::count(text.begin(), text.end(), '.') == 3;
}

/// A published port as `run` takes it, and the port of the host that it occupies.
struct Port {
    std::string published;
    std::string of_host;
};

/// Reads "port", "host:container" or "address:host:container", each with or without "/tcp" or
/// "/udp".
std::optional<Port> port_from(const std::string& text) {
    const auto slash = text.find('/');
    const std::string protocol = slash == std::string::npos ? "" : text.substr(slash);
    const std::string ports = text.substr(0, slash);
    const auto last = ports.rfind(':');
    const std::string inside = last == std::string::npos ? ports : ports.substr(last + 1);
    const std::string outside = last == std::string::npos ? ports : ports.substr(0, last);
    const auto address = outside.rfind(':');
    const bool has_address = address != std::string::npos;
    const std::string of_host = has_address ? outside.substr(address + 1) : outside;
    if (!is_port(inside) || !is_port(of_host)) return std::nullopt;
    if (has_address && !is_address(outside.substr(0, address))) return std::nullopt;
    if (!protocol.empty() && protocol != "/tcp" && protocol != "/udp") return std::nullopt;
    return Port{.published = outside + ":" + inside + protocol, .of_host = of_host};
}

struct WantedContainer {
    std::string image;
    std::vector<Port> ports;
};

void check_pairs(const AutomatorTask& task, base::Problems& problems) {
    for (const std::string& variable : list_of(task, environment_variables)) {
        const auto name = variable.substr(0, variable.find('='));
        const bool named = !name.empty() && name != variable && contains_only(name, "_.-") &&
                           std::isdigit(static_cast<unsigned char>(name.front())) == 0;
        if (named && variable.find_first_of("\r\n") == std::string::npos) continue;
        problems.push_back(
            {environment_variables,
             "must be a comma list of NAME=value, each on one line, not \"" + name + "\""});
    }
    for (const std::string& volume : list_of(task, volumes)) {
        const auto colon = volume.find(':');
        if (colon != 0 && colon != std::string::npos && volume.substr(colon).starts_with(":/"))
            continue;
        problems.push_back(
            {volumes, "must be a comma list of host:/container, not \"" + volume + "\""});
    }
    for (const std::string& link : list_of(task, links)) {
        if (contains_only(link, "_.-:") && link.front() != '-') continue;
        problems.push_back(
            {links, "must be a comma list of container or container:alias, not \"" + link + "\""});
    }
}

WantedContainer read_docker_fields(const AutomatorTask& task, base::Problems& problems) {
    WantedContainer wanted;
    if (const std::string* name = field_of(task, image_name)) wanted.image = *name;
    std::erase_if(wanted.image, [](unsigned char c) { return std::isspace(c) != 0; });
    if (wanted.image.empty()) {
        problems.push_back({image_name, "must be given"});
    } else if (!contains_only(wanted.image, "_.-/:@") || wanted.image.front() == '-') {
        problems.push_back({image_name, "must be like [repository/]name[:tag]"});
    }
    if (const std::string* archive = field_of(task, image_archive)) {
        live_resource(task, "images", *archive, image_archive, problems);
    }
    for (const std::string& text : list_of(task, publish_ports)) {
        if (auto port = port_from(text)) {
            wanted.ports.push_back(*std::move(port));
        } else {
            problems.push_back({publish_ports,
                                "must be a comma list of port, host:container or "
                                "address:host:container, not \"" +
                                    text + "\""});
        }
    }
    check_pairs(task, problems);
    return wanted;
}

/// "coopr-web" for "registry.example:5000/team/web:1.2"; links use this name.
std::string container_name(const std::string& image) {
    const std::string last = image.substr(image.rfind('/') + 1);
    return "coopr-" + last.substr(0, last.find_first_of(":@"));
}

/// Bytes. Linux takes at most 128 KiB for one variable (MAX_ARG_STRLEN).
constexpr std::size_t most_in_a_variable = 100'000;

void add_variable(const std::string& name, const PiecedText& value, std::string& file) {
    if (value.size() > most_in_a_variable) return;
    const std::string text = value.joined();
    const bool one_line = text.find_first_of(std::string("\r\n\0", 3)) == std::string::npos;
    if (one_line) file += name + "=" + text + "\n";
}

PiecedText plain(const Json& json, const SharedValues& shared) {
    if (!is_reference(json)) return plain_text(json);
    PiecedText text;
    text.add(shared.text_of(json, "plain", plain_text));
    return text;
}

/// Adds each single value as a variable: {"web":{"port":80}} is COOPERAGE_CONFIG_WEB_PORT=80.
void add_values(const std::string& prefix, const Json& json, const SharedValues& shared,
                std::string& file) {
    if (!json.is_structured()) return add_variable(prefix, plain(json, shared), file);
    for (const auto& [key, member] : json.items()) {
        std::string name = prefix;
        name.append("_").append(key);
        for (char& c : name) {
            const auto byte = static_cast<unsigned char>(c);
            c = std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
        }
        add_values(name, member, shared, file);
    }
}

/// Variables about the cluster, then the action's own, which win because they come last. The text
/// must not differ between two starts unless the cluster does: a change replaces the container.
std::string environment_of(const AutomatorTask& task, const Json& document) {
    const Json facts = cluster_facts(task, document);
    std::string file;
    add_variable("COOPERAGE_CLUSTER_ID", value_at(facts, "/cluster_id"), file);
    add_variable("COOPERAGE_SERVICE", task.service, file);
    add_variable("COOPERAGE_HOSTNAME", value_at(facts, "/hostname"), file);
    add_variable("COOPERAGE_NODENUM", value_at(facts, "/nodenum"), file);
    add_variable("COOPERAGE_IP_ACCESS", value_at(facts, "/ipaddresses/access_v4"), file);
    add_variable("COOPERAGE_IP_BIND", value_at(facts, "/ipaddresses/bind_v4"), file);
    add_variable("COOPERAGE_NODES", json_text(nodes_of(facts), *task.shared), file);
    add_variable("COOPERAGE_CONFIG", json_text(cluster_config(document), *task.shared), file);
    add_values("COOPERAGE_CONFIG", cluster_config(document), *task.shared, file);
    for (const std::string& own : list_of(task, environment_variables)) file += own + "\n";
    return file;
}

std::string run_line(const AutomatorTask& task, const WantedContainer& wanted) {
    std::string line = "exec " + container + " start";
    for (const Port& port : wanted.ports) line += " -p " + quote(port.published);
    for (const std::string& link : list_of(task, links)) line += " --link " + quote(link);
    for (const std::string& volume : list_of(task, volumes)) line += " -v " + quote(volume);
    line += " " + quote(wanted.image);
    // Not quoted: the wire contract lets people write shell text here.
    const std::string* arguments = field_of(task, command);
    return arguments == nullptr ? line : line + " " + *arguments;
}

std::string exported(const char* name, const std::string& value) {
    return "export " + std::string(name) + "=" + quote(value) + "\n";
}

void prepare_start(const AutomatorTask& task, const WantedContainer& wanted, const Json& document,
                   NodeAction& action) {
    std::string ports;
    for (const Port& port : wanted.ports) ports += (ports.empty() ? "" : " ") + port.of_host;
    const std::string* linked = field_of(task, links);
    action.workspace = docker_home + "/tasks/" + task.id;
    action.files = {
        {.path = action.workspace + "/environment", .content = environment_of(task, document)}};
    action.variables += exported("CONTAINER_NAME", container_name(wanted.image)) +
                        exported("CONTAINER_ENVIRONMENT", action.files.front().path) +
                        exported("CONTAINER_PORTS", ports) +
                        exported("CONTAINER_LINKS", linked == nullptr ? "" : *linked);
    action.command = "sh -c " + quote(run_line(task, wanted)) + "\n";
}

std::string install_command(const AutomatorTask& task) {
    std::string directories;
    for (const std::string& volume : list_of(task, volumes)) {
        const std::string of_host = volume.substr(0, volume.find(':'));
        if (of_host.starts_with('/')) directories += " " + quote(of_host);
    }
    const std::string made = directories.empty() ? "" : "mkdir -p" + directories + " && ";
    const bool from_archive = field_of(task, image_archive) != nullptr;
    return made + container + (from_archive ? " load\n" : " pull\n");
}

/// Facts that start, stop and remove may report. `containers` is ours; the other two come from the
/// wire contract. An image is a key there, so its name must not look like a key of a provider.
std::vector<std::string> facts_of(const WantedContainer& wanted) {
    std::vector<std::string> facts{"containers", "ports"};
    if (wanted.image.find_first_of("/:") != std::string::npos) facts.push_back(wanted.image);
    return facts;
}

remote::Steps act_by_docker(const AutomatorTask& task, const WantedContainer& wanted) {
    if (task.action == Action::configure || task.action == Action::initialize) return {};
    const Json document = task.document();
    NodeAction action;
    action.label = label_of(task);
    action.limit = task.limit;
    action.directory = docker_home;
    action.variables = exports(task, document) + exported("CONTAINER_IMAGE", wanted.image);
    if (task.action == Action::install) {
        const std::string* archive = field_of(task, image_archive);
        if (archive != nullptr) {
            action.variables += exported("CONTAINER_ARCHIVE", path_of_archive(*archive));
        }
        action.command = install_command(task);
    } else if (task.action == Action::start) {
        action.facts = facts_of(wanted);
        prepare_start(task, wanted, document, action);
    } else {
        action.facts = facts_of(wanted);
        action.command = container + " " + base::to_word(task.action) + "\n";
    }
    return steps_of(std::move(action));
}

}  // namespace

base::Checked<remote::Steps> DockerAutomator::compile(const AutomatorTask& task) const {
    auto problems = problems_with_task(task, "docker");
    const bool first = task.action == Action::bootstrap;
    WantedContainer wanted;
    if (!first) wanted = read_docker_fields(task, problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return first ? bootstrap_docker(task) : act_by_docker(task, wanted);
}

model::PluginType DockerAutomator::type() const {
    model::PluginType type;
    type.header.name = "docker";
    type.header.description = "Runs a service as a container, by docker or podman";
    type.kind = model::PluginKind::automator;
    type.admin.fields = {
        text_field(image_name, "Image Name", "[repository/]name[:tag]"),
        text_field(image_archive, "Image archive",
                   "The name of an images resource that install loads instead of pulling"),
        text_field(environment_variables, "Environment variables", "A comma list of NAME=value"),
        text_field(links, "Links to containers", "A comma list of container or container:alias"),
        text_field(volumes, "Volumes to mount into container", "A comma list of host:container"),
        text_field(publish_ports, "Container ports to publish",
                   "A comma list of host:container, or port for the same on both sides"),
        text_field(command, "Docker CMD", "Appended to the run command")};
    for (std::size_t i = 2; i < type.admin.fields.size(); ++i) {
        type.admin.fields[i].overridable = true;
    }
    type.admin.required = {{image_name}};
    type.resource_types = {{.name = "images", .format = "archive", .permissions = std::nullopt}};
    return type;
}

}  // namespace provisioner::automators
