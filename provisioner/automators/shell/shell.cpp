#include "provisioner/automators/shell/shell.hpp"

#include "provisioner/automators/document_values.hpp"
#include "provisioner/automators/node_files.hpp"
#include "provisioner/automators/resource_files.hpp"
#include "provisioner/automators/shell/shell_scripts.hpp"
#include "provisioner/automators/task_fields.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using base::Json;
using remote::quote;
using remote::Upload;

const std::string shell_home = "/var/cache/cooperage/shell";
const std::string scripts = shell_home + "/scripts";
const std::string shell_archives = shell_home + "/archives";
const std::string lib = shell_home + "/lib";

/// Scripts written for Coopr may contain its directory.
const std::string link_of_old_name =
    "old=/var/cache/coopr/shell_automator\n"
    "[ -e $old ] || [ -L $old ] || ln -s " +
    shell_home + " $old\n";

/// The wrapper replaces itself by bash where there is one. Starting bash at once saves a process
/// image.
const std::string in_its_shell = "shell=sh; command -v bash >/dev/null 2>&1 && shell=bash; $shell ";

base::Problems problems_with_script(const AutomatorTask& task) {
    auto problems = problems_with_task(task, "shell");
    if (task.action != model::Action::bootstrap && field_of(task, "script") == nullptr) {
        problems.push_back({"script", "must be given"});
    }
    return problems;
}

remote::Steps bootstrap_shell(const AutomatorTask& task) {
    ResourceFiles files(shell_home);
    for (const Resource& resource : *task.resources) {
        if (resource.type == "scripts") {
            files.add_file(resource, scripts + "/" + resource.name, executable);
        } else if (resource.type == "archives") {
            files.add_archive(resource, shell_archives, shell_archives);
        }
    }
    remote::Steps steps{
        make_directories({scripts, shell_archives, lib, "/var/cache/coopr"},
                         link_of_old_name + files.recall()),
        Upload{.path = lib + "/wrapper.sh", .content = wrapper_script(), .mode = executable},
        Upload{.path = lib + "/coopr_lookup_key", .content = lookup_script(), .mode = executable}};
    files.add_to(steps);
    return steps;
}

/// The wrapper's command line. `script` and `args` are shell text that people write; the wire
/// contract has them unquoted.
std::string command_line(const AutomatorTask& task, const std::string& document) {
    std::string line =
        in_its_shell + lib + "/wrapper.sh " + quote(document) + " " + task.fields.at("script");
    const std::string* args = field_of(task, "args");
    return args == nullptr ? line : line + " " + *args;
}

remote::Steps act_by_script(const AutomatorTask& task) {
    const std::string document = shell_home + "/" + task.id + ".json";
    const std::string values = shell_home + "/" + task.id + ".values";
    const Json facts = task.document();
    NodeAction action;
    action.label = label_of(task);
    action.limit = task.limit;
    action.directory = scripts;
    action.files = {{.path = document, .content = json_file(facts, task)},
                    {.path = values, .content = values_table(facts, *task.shared)}};
    action.variables = exports(task, facts);
    // A shell of its own, so that an `exit` in it cannot skip the removal of files.
    action.command = "sh -c " + quote(command_line(task, document)) + "\n";
    return steps_of(std::move(action));
}

}  // namespace

base::Checked<remote::Steps> ShellAutomator::compile(const AutomatorTask& task) const {
    auto problems = problems_with_script(task);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return task.action == model::Action::bootstrap ? bootstrap_shell(task) : act_by_script(task);
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
