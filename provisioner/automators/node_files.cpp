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

/// Directory of texts that are too large for a script; each file is named by its checksum.
const std::string texts = "/var/cache/cooperage/texts";

/// A later step that needs one of these texts delivers it again. A session remembers what is there,
/// so steps touch the texts that they need: those in use never get old.
const std::string forgotten_texts =
    "if [ -d " + texts + " ]; then find " + texts + " -type f -mtime +0 -exec rm -f {} +; fi\n";

/// Bytes. A delivery costs a call and a few processes, so small texts travel in the script that
/// needs them. printf is built into the shell and has no limit.
constexpr std::size_t most_in_a_script = 65'536;

bool fits_a_script(std::string_view text) {
    return text.size() <= most_in_a_script && text.find('\0') == std::string::npos;
}

/// Collects the script that writes the files on the node, and the texts that it needs there.
class Composition {
 public:
    void add(const NodeFile& file) {
        const auto& pieces = file.content.pieces();
        const bool is_one = pieces.size() == 1;
        script_ += is_one ? "" : "{ :";
        for (const PiecedText::Piece& piece : pieces) {
            script_.append(is_one ? "" : " && ").append(printing(piece));
        }
        script_.append(is_one ? "" : "; }").append(" >" + quote(file.path) + " || give_up\n");
    }

    std::string script() const {
        return (touched_.empty() ? "" : "touch -c" + touched_ + "\n") + script_ + removal_;
    }
    /// The commands that remove delivered texts of this step alone.
    const std::string& removal() const { return removal_; }
    std::vector<remote::DeliveredFile> take_needs() { return std::move(needs_); }

 private:
    /// The command that prints the piece.
    std::string printing(const PiecedText::Piece& piece) {
        if (const auto* shared = std::get_if<PiecedText::Shared>(&piece)) {
            return "cat " + brought(*shared, true);
        }
        const auto& own = std::get<std::string>(piece);
        if (fits_a_script(own)) return "printf %s " + quote(own);
        const std::string path =
            brought(std::make_shared<const SharedText>(with_checksum(own)), false);
        removal_ += "rm -f " + path + "\n";
        return "cat " + path;
    }

    /// The path of a text that is delivered before the script begins.
    std::string brought(const PiecedText::Shared& text, bool stays) {
        std::string path = texts + "/" + text->sha256;
        const bool known = std::any_of(needs_.begin(), needs_.end(),
                                       [&](const auto& need) { return need.path == path; });
        if (!known) {
            if (stays) touched_ += " " + path;
            needs_.push_back({.path = path,
                              .mode = owner_only,
                              .sha256 = text->sha256,
                              .size = text->text.size(),
                              .content = {text, &text->text},
                              .stays = stays});
        }
        return path;
    }

    /// Paths of shared texts.
    std::string touched_;
    std::string script_;
    std::string removal_;
    std::vector<remote::DeliveredFile> needs_;
};

/// Makes the workspace and the directories of the files.
std::string directories_made(const NodeAction& action) {
    if (action.workspace.empty()) return "";
    std::set<std::string> directories{action.workspace};
    for (const NodeFile& file : action.files) {
        directories.insert(file.path.substr(0, file.path.rfind('/')));
    }
    std::string line = "mkdir -p";
    for (const std::string& directory : directories) line += " " + quote(directory);
    return line + " || give_up\n";
}

std::string taken_away(const NodeAction& action) {
    if (!action.workspace.empty()) return "rm -rf " + quote(action.workspace) + "\n";
    std::string line = "rm -f";
    for (const NodeFile& file : action.files) line += " " + quote(file.path);
    return action.files.empty() ? "" : line + "\n";
}

/// A step that is stopped gets TERM in all of its processes. The trap lets this shell outlive the
/// command and remove the files with secrets; child processes do not inherit it.
std::string script_of(const NodeAction& action) {
    const std::string otherwise = taken_away(action).empty() ? "exit 1" : "give_up";
    return "cd " + quote(action.directory) + " || " + otherwise + "\ntrap : TERM\n" +
           action.variables + action.command + "status=$?\n" + taken_away(action) +
           "exit $status\n";
}

}  // namespace

remote::Run make_directories(std::initializer_list<std::string> paths, const std::string& after) {
    std::string script = "set -e\numask 022\nmkdir -p";
    for (const std::string& path : paths) script += " " + quote(path);
    return {.label = "make directories",
            .script = script + "\n" + forgotten_texts + after,
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

PiecedText json_file(const base::Json& json, const AutomatorTask& task) {
    PiecedText text = json_text(json, *task.shared);
    text.add("\n");
    return text;
}

remote::Steps steps_of(NodeAction action) {
    Composition files;
    for (const NodeFile& file : action.files) files.add(file);
    std::string script = directories_made(action) + files.script();
    if (!script.empty()) script = "umask 077\n" + std::move(script) + "umask 022\n";
    // A disk that is full must not keep half of the files: they may hold secrets.
    const std::string leftovers = taken_away(action) + files.removal();
    if (!leftovers.empty()) script = "give_up() {\n" + leftovers + "exit 1\n}\n" + script;
    script += script_of(action);
    return {Run{.label = std::move(action.label),
                .script = std::move(script),
                .limit = action.limit,
                .facts = std::move(action.facts),
                .needs = files.take_needs()}};
}

}  // namespace provisioner::automators
