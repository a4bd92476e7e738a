#include "provisioner/automators/ansible/ansible.hpp"

#include <set>

#include "provisioner/automators/ansible/ansible_scripts.hpp"
#include "provisioner/automators/cluster_facts.hpp"
#include "provisioner/automators/document_values.hpp"
#include "provisioner/automators/node_files.hpp"
#include "provisioner/automators/resource_files.hpp"
#include "provisioner/automators/task_fields.hpp"
#include "provisioner/automators/tool_packages.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using base::Json;
using remote::quote;
using remote::Upload;

const std::string ansible_home = "/var/cache/cooperage/ansible";
const std::string roles = ansible_home + "/roles";
const std::string playbooks = ansible_home + "/playbooks";
const std::string role_archives = ansible_home + "/archives";
const std::string run_playbook = ansible_home + "/lib/run-playbook";

Tool ansible_tool() {
    return {.is_there = "(PATH=$PATH:" + ansible_path() + "; command -v ansible-playbook)",
            .name = "Ansible",
            .apt = "ansible-core ansible",
            .yum = "ansible-core ansible",
            .otherwise = install_ansible_by_pip(),
            .advice =
                "put ansible-core into the image, or let the node reach a source of packages that "
                "has ansible-core (apt, dnf, yum or PyPI)"};
}

remote::Steps bootstrap_ansible(const AutomatorTask& task) {
    ResourceFiles files(ansible_home);
    for (const Resource& resource : *task.resources) {
        if (resource.type == "roles") {
            files.add_archive(resource, roles, role_archives);
        } else if (resource.type == "playbooks") {
            files.add_file(resource, playbooks + "/" + resource.name, readable);
        }
    }
    remote::Steps steps{
        make_directories({roles, playbooks, role_archives}, files.recall()),
        install_step(ansible_tool()),
        Upload{.path = run_playbook, .content = run_playbook_script(), .mode = executable}};
    files.add_to(steps);
    return steps;
}

/// Text of the cluster's configuration is no template. All of it is marked as unsafe: which text is
/// one cannot be told by its braces, because "#jinja2:" at its beginning changes them. Source:
/// Ansible's own JSON encoding of unsafe values (ansible.parsing.ajson).
Json not_a_template(const std::string& text) {
    return {{"__ansible_unsafe", text}};
}

/// Whether a member is none by which Ansible's JSON encodes values: it would be read as a mark of
/// ours, or switch those off.
bool is_no_mark(const std::string& name) {
    return !name.starts_with("__ansible_");
}

/// A group of the inventory for each service, with its nodes. Ansible reserves two names for
/// itself.
Json groups_of(const Json& nodes) {
    std::map<std::string, Json::object_t> members;
    for (const auto& [hostname, node] : nodes.items()) {
        for (const auto& service : base::strings_of(base::member(node, "services"))) {
            members[service].emplace_back(hostname, nullptr);
        }
    }
    Json::object_t groups;
    for (auto& [service, hosts] : members) {
        if (service == "all" || service == "ungrouped") continue;
        groups.emplace_back(service, Json{{"hosts", std::move(hosts)}});
    }
    return groups;
}

/// Without the members by which Ansible says how it connects and what it runs there: whoever writes
/// the configuration of a cluster would run programs as root.
Json without_ways_to_run(const Json& variables) {
    Json kept = Json::object();
    for (const auto& [name, value] : variables.items()) {
        if (!name.starts_with("ansible_")) kept[name] = value;
    }
    return kept;
}

Json hosts_of(const Json& nodes) {
    Json::object_t hosts;
    for (const auto& [hostname, node] : nodes.items()) {
        Json::object_t variables;
        const std::string address = value_at(node, "/ipaddresses/access_v4");
        if (!address.empty()) variables.emplace_back("ansible_host", address);
        const Json facts = without_ways_to_run(node);
        for (const auto& [name, value] : facts.items()) variables.emplace_back(name, value);
        hosts.emplace_back(hostname, std::move(variables));
    }
    return hosts;
}

/// The whole cluster as an inventory: its configuration as variables of all hosts, a host for each
/// node, a group for each service.
Json inventory_of(const AutomatorTask& task, const Json& document) {
    const Json facts = cluster_facts(task, document);
    const Json config = with_strings(cluster_config(document), *task.shared, "not a template",
                                     not_a_template, is_no_mark);
    Json variables = without_ways_to_run(config);
    variables["cooperage"] = facts;
    variables["cooperage"]["cluster"] = config;
    variables["cooperage_action"] = base::to_word(task.action);
    const Json& nodes = nodes_of(facts);
    return {{"all",
             {{"vars", std::move(variables)},
              {"hosts", task.shared->changed(nodes, "hosts", hosts_of)},
              {"children", task.shared->changed(nodes, "groups", groups_of)}}}};
}

Json play_of(const std::vector<std::string>& names, const AutomatorTask& task) {
    return Json::array({{{"name", label_of(task)}, {"hosts", "all"}, {"roles", names}}});
}

/// By default tasks tagged with the action and untagged ones, so one playbook serves all actions.
std::string tags_of(const AutomatorTask& task) {
    const std::string* tags = field_of(task, "tags");
    return tags == nullptr ? base::to_word(task.action) + ",untagged" : *tags;
}

struct WantedPlay {
    Json extra_vars;
    bool become = false;
};

WantedPlay read_ansible_fields(const AutomatorTask& task, base::Problems& problems) {
    want_one_of(task, "playbook", "roles", problems);
    if (const std::string* playbook = field_of(task, "playbook")) {
        live_resource(task, "playbooks", *playbook, "playbook", problems);
    }
    const std::string* names = field_of(task, "roles");
    if (names != nullptr && comma_list(*names).empty()) {
        problems.push_back({"roles", "must name a role"});
    }
    return {.extra_vars = json_object_field(task, "extra_vars", problems),
            .become = checkbox_field(task, "become", false, problems)};
}

remote::Steps act_by_ansible(const AutomatorTask& task, const WantedPlay& wanted) {
    const Json document = task.document();
    const std::string workspace = ansible_home + "/tasks/" + task.id;
    const std::string inventory = workspace + "/inventory.json";
    const std::string variables = workspace + "/extra_vars.json";
    NodeAction action;
    action.label = label_of(task);
    action.limit = task.limit;
    action.directory = playbooks;
    action.workspace = workspace;
    action.files = {{.path = inventory, .content = json_file(inventory_of(task, document), task)}};
    action.variables = exports(task, document);
    action.command = run_playbook + " " + quote(workspace + "/log") + " -i " + quote(inventory) +
                     " -c local --limit " + quote(value_at(document, "/config/hostname")) +
                     " --tags " + quote(tags_of(task));
    if (wanted.become) action.command += " --become";
    if (!wanted.extra_vars.empty()) {
        action.files.push_back({.path = variables, .content = json_file(wanted.extra_vars, task)});
        action.command += " -e " + quote("@" + variables);
    }
    if (const std::string* playbook = field_of(task, "playbook")) {
        action.command += " " + quote("./" + *playbook) + "\n";
    } else {
        const Json play = play_of(comma_list(*field_of(task, "roles")), task);
        action.files.push_back(
            {.path = workspace + "/play.json", .content = json_file(play, task)});
        action.command += " " + quote(workspace + "/play.json") + "\n";
    }
    return steps_of(std::move(action));
}

}  // namespace

base::Checked<remote::Steps> AnsibleAutomator::compile(const AutomatorTask& task) const {
    auto problems = problems_with_task(task, "ansible");
    const bool first = task.action == model::Action::bootstrap;
    WantedPlay wanted;
    if (!first) wanted = read_ansible_fields(task, problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return first ? bootstrap_ansible(task) : act_by_ansible(task, wanted);
}

model::PluginType AnsibleAutomator::type() const {
    model::PluginType type;
    type.header.name = "ansible";
    type.header.description = "Runs Ansible playbooks and roles on the node itself";
    type.kind = model::PluginKind::automator;
    type.admin.fields = {
        text_field("playbook", "Playbook", "The name of a playbook resource"),
        text_field("roles", "Roles", "Or a comma list of roles, run in this order"),
        text_field("tags", "Tags", "Empty: the action's name and untagged tasks; all: every task"),
        text_field("extra_vars", "Extra variables", "A JSON object; wins over everything else"),
        text_field("become", "Become", "Runs tasks with become (--become)")};
    type.admin.fields.back().kind = "checkbox";
    type.admin.required = {{"playbook"}, {"roles"}};
    type.resource_types = {{.name = "roles", .format = "archive", .permissions = std::nullopt},
                           {.name = "playbooks", .format = "file", .permissions = std::nullopt}};
    return type;
}

}  // namespace provisioner::automators
