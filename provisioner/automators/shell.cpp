#include "provisioner/automators/shell.hpp"

#include <array>

#include "provisioner/automators/document_values.hpp"
#include "provisioner/automators/shell_scripts.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using base::Json;
using remote::quote;
using remote::Run;
using remote::Upload;

const std::string home = "/var/cache/cooperage/shell";
const std::string scripts = home + "/scripts";
const std::string archives = home + "/archives";
const std::string lib = home + "/lib";
constexpr int executable = 0755;
constexpr int owner_only = 0600;
constexpr std::chrono::seconds file_work{300};

/// Scripts written for Coopr may name its directory.
const std::string make_directories = "set -e\numask 022\nmkdir -p " + scripts + " " + archives +
                                     " " + lib + R"sh( /var/cache/coopr
old=/var/cache/coopr/shell_automator
[ -e $old ] || [ -L $old ] || ln -s )sh" +
                                     home + " $old\n";

base::Problems problems_of(const AutomatorTask& task) {
    base::Problems problems;
    if (auto wrong = model::problem_with_name(task.id)) problems.push_back({"id", *wrong});
    for (const Resource& resource : *task.resources) {
        auto wrong = model::problem_with_name(resource.name);
        if (resource.name == "." || resource.name == "..") wrong = "must be the name of a file";
        if (wrong) problems.push_back({resource.type + "." + resource.name, *wrong});
    }
    if (task.action == model::Action::bootstrap) return problems;
    if (model::is_hardware_action(task.action)) {
        problems.push_back(
            {"action", "the shell automator does not " + base::to_word(task.action) + " machines"});
    }
    const auto script = task.fields.find("script");
    if (script == task.fields.end() || script->second.empty()) {
        problems.push_back({"script", "must be given"});
    }
    return problems;
}

void add_archive(const Resource& archive, remote::Steps& steps) {
    const std::string file = archives + "/" + archive.name + ".tar.gz";
    steps.push_back(Upload{.path = file, .content = archive.content});
    steps.push_back(Run{.label = "unpack " + archive.name,
                        .script = "set -e\ncd " + archives + "\nrm -rf " +
                                  quote("./" + archive.name) + "\ntar -xzf " + quote(file) + "\n",
                        .limit = file_work});
}

remote::Steps bootstrap(const AutomatorTask& task) {
    remote::Steps steps{
        Run{.label = "make directories", .script = make_directories, .limit = file_work},
        Upload{.path = lib + "/wrapper.sh", .content = wrapper_script(), .mode = executable},
        Upload{.path = lib + "/coopr_lookup_key", .content = lookup_script(), .mode = executable}};
    for (const Resource& resource : *task.resources) {
        if (resource.type == "scripts") {
            steps.push_back(Upload{.path = scripts + "/" + resource.name,
                                   .content = resource.content,
                                   .mode = executable});
        } else if (resource.type == "archives") {
            add_archive(resource, steps);
        }
    }
    return steps;
}

/// The value at a JSON pointer of the task's document as text; empty when it is not there.
std::string value_at(const Json& document, const char* pointer) {
    const Json::json_pointer place(pointer);
    return document.contains(place) ? plain_text(document.at(place)) : "";
}

struct Variable {
    const char* name;
    const char* pointer;
};

constexpr std::array variables{
    Variable{"COOPERAGE_TASK_ID", "/taskId"},
    Variable{"COOPERAGE_CLUSTER_ID", "/clusterId"},
    Variable{"COOPERAGE_SERVICE", "/config/service/name"},
    Variable{"COOPERAGE_HOSTNAME", "/config/hostname"},
    Variable{"COOPERAGE_NODENUM", "/config/nodenum"},
    Variable{"COOPERAGE_IP_ACCESS", "/config/ipaddresses/access_v4"},
    Variable{"COOPERAGE_IP_BIND", "/config/ipaddresses/bind_v4"},
};

std::string exports(const AutomatorTask& task, const Json& facts) {
    std::string text = "export COOPERAGE_ACTION=" + base::to_word(task.action) + "\n";
    for (const Variable& variable : variables) {
        text += "export " + std::string(variable.name) + "=" +
                quote(value_at(facts, variable.pointer)) + "\n";
    }
    return text;
}

/// The wrapper's command line. `script` and `args` are a command as people write it: the contract
/// has them unquoted.
std::string command_line(const AutomatorTask& task, const std::string& document) {
    std::string line = lib + "/wrapper.sh " + quote(document) + " " + task.fields.at("script");
    const auto args = task.fields.find("args");
    if (args != task.fields.end() && !args->second.empty()) line += " " + args->second;
    return line;
}

/// A shell of its own for the command line, so that whatever is in it cannot swallow what comes
/// after. This one outlives a step that is told to end, and takes the secrets away.
std::string action_script(const AutomatorTask& task, const Json& facts, const std::string& document,
                          const std::string& values) {
    const std::string as_root = task.ssh_user == "root" ? "" : "sudo -n -E ";
    return "cd " + scripts + " || exit 1\ntrap : TERM\n" + exports(task, facts) + as_root +
           "sh -c " + quote(command_line(task, document)) + "\nstatus=$?\nrm -f " +
           quote(document) + " " + quote(values) + "\nexit $status\n";
}

/// What a file costs on its way to a node is mostly a call and a handful of processes, so small
/// ones travel in the script that needs them. printf is the shell's own and has no limit.
constexpr std::size_t most_in_a_script = 256 * 1024;

bool fits_a_script(const std::string& content) {
    return content.size() <= most_in_a_script && content.find('\0') == std::string::npos;
}

std::string written(const Upload& file) {
    return "printf %s " + quote(file.content) + " >" + quote(file.path) + " || exit 1\n";
}

remote::Steps act(const AutomatorTask& task) {
    const std::string document = home + "/" + task.id + ".json";
    const std::string values = home + "/" + task.id + ".values";
    std::string label = base::to_word(task.action);
    if (!task.service.empty()) label += " " + task.service;
    const Json facts = task.document();
    // The document holds the provider's credentials.
    const Upload files[]{
        {.path = document, .content = base::to_text(facts) + "\n", .mode = owner_only},
        {.path = values, .content = values_table(facts), .mode = owner_only}};
    auto script = action_script(task, facts, document, values);
    if (fits_a_script(files[0].content) && fits_a_script(files[1].content)) {
        script = "umask 077\n" + written(files[0]) + written(files[1]) + "umask 022\n" + script;
        return {Run{.label = label, .script = std::move(script)}};
    }
    return {files[0], files[1], Run{.label = label, .script = std::move(script)}};
}

model::PluginField text_field(const char* name, const char* label, const char* tip) {
    model::PluginField field;
    field.name = name;
    field.label = label;
    field.tip = tip;
    return field;
}

}  // namespace

base::Checked<remote::Steps> ShellAutomator::compile(const AutomatorTask& task) const {
    auto problems = problems_of(task);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return task.action == model::Action::bootstrap ? bootstrap(task) : act(task);
}

model::PluginType ShellAutomator::type() const {
    model::PluginType type;
    type.header.name = "shell";
    type.header.description = "Runs scripts and commands";
    type.kind = model::PluginKind::automator;
    type.admin.fields = {
        text_field("script", "Script", "The name of a script resource, or any command"),
        text_field("args", "Arguments", "Appended to the script as they are, unquoted")};
    type.admin.required = {{"script"}};
    type.resource_types = {{.name = "scripts", .format = "file", .permissions = "0755"},
                           {.name = "archives", .format = "archive", .permissions = std::nullopt}};
    return type;
}

}  // namespace provisioner::automators
