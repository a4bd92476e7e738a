#include "provisioner/automators/node_files.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "provisioner/automators/document_values.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::automators {

namespace {

using remote::quote;
using remote::Run;
using remote::Upload;

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

/// What a file costs on its way to a node is mostly a call and a handful of processes, so small
/// ones travel in the script that needs them. printf is the shell's own and has no limit.
constexpr std::size_t most_in_a_script = 262'144;

bool fits_a_script(const Upload& file) {
    return file.content.size() <= most_in_a_script && file.content.find('\0') == std::string::npos;
}

std::string written(const Upload& file) {
    return "printf %s " + quote(file.content) + " >" + quote(file.path) + " || exit 1\n";
}

/// The directories of the files, made with the workspace.
std::string directories_made(const NodeAction& action) {
    if (action.workspace.empty()) return "";
    std::set<std::string> directories{action.workspace};
    for (const Upload& file : action.files) {
        directories.insert(file.path.substr(0, file.path.rfind('/')));
    }
    std::string line = "mkdir -p";
    for (const std::string& directory : directories) line += " " + quote(directory);
    return line + " || exit 1\n";
}

std::string taken_away(const NodeAction& action) {
    if (!action.workspace.empty()) return "rm -rf " + quote(action.workspace) + "\n";
    std::string line = "rm -f";
    for (const Upload& file : action.files) line += " " + quote(file.path);
    return action.files.empty() ? "" : line + "\n";
}

/// This shell outlives a step that is told to end, and takes the secrets away.
std::string script_of(const NodeAction& action) {
    return "cd " + quote(action.directory) + " || exit 1\ntrap : TERM\n" + action.variables +
           action.command + "status=$?\n" + taken_away(action) + "exit $status\n";
}

Run run_of(const NodeAction& action, std::string script) {
    return {.label = action.label,
            .script = std::move(script),
            .limit = action.limit,
            .facts = action.facts};
}

}  // namespace

remote::Run make_directories(std::initializer_list<std::string> paths, const std::string& after) {
    std::string script = "set -e\numask 022\nmkdir -p";
    for (const std::string& path : paths) script += " " + quote(path);
    return {.label = "make directories",
            .script = script + "\n" + after,
            .limit = file_work,
            .script_is_fixed = true};
}

std::string exports(const AutomatorTask& task, const base::Json& document) {
    std::string text = "export COOPERAGE_ACTION=" + base::to_word(task.action) + "\n";
    for (const Variable& variable : variables) {
        text += "export " + std::string(variable.name) + "=" +
                quote(value_at(document, variable.pointer)) + "\n";
    }
    return text;
}

std::string utf8_locale() {
    return R"sh(case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]8 | *[Uu][Tt][Ff]-8) ;;
    *) export LC_ALL=C.UTF-8 ;;
esac
)sh";
}

remote::Steps steps_of(NodeAction action) {
    for (Upload& file : action.files) file.mode = owner_only;
    std::string script = script_of(action);
    if (std::all_of(action.files.begin(), action.files.end(), fits_a_script)) {
        std::string files = directories_made(action);
        for (const Upload& file : action.files) files += written(file);
        if (!files.empty()) script = "umask 077\n" + files + "umask 022\n" + script;
        return {run_of(action, std::move(script))};
    }
    remote::Steps steps;
    if (!action.workspace.empty()) {
        // Uploads make what is missing, but for everybody to read.
        steps.push_back(Run{.label = "make a place for files",
                            .script = "umask 077\n" + directories_made(action),
                            .limit = file_work});
    }
    steps.insert(steps.end(), std::make_move_iterator(action.files.begin()),
                 std::make_move_iterator(action.files.end()));
    steps.push_back(run_of(action, std::move(script)));
    return steps;
}

}  // namespace provisioner::automators
