#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "provisioner/automators/automator.hpp"
#include "provisioner/automators/pieced_text.hpp"

namespace provisioner::automators {

/// Modes of files on a node.
constexpr int executable = 0755;
constexpr int readable = 0644;
constexpr int owner_only = 0600;
/// How long making directories may take; unpacking gets more for its size.
constexpr std::chrono::seconds file_work{300};

/// The step that makes directories that everybody may read; harmless to repeat. It also removes
/// shared texts that no step has needed for a day; later steps bring those they need. `after` is
/// script that follows in the same shell, which ends at the first error (set -e).
remote::Run make_directories(std::initializer_list<std::string> paths,
                             const std::string& after = "");

/// Lines that export COOPERAGE_ACTION, _TASK_ID, _CLUSTER_ID, _SERVICE, _HOSTNAME, _NODENUM,
/// _IP_ACCESS and _IP_BIND. A value that the document lacks is exported empty.
std::string exports(const AutomatorTask& task, const base::Json& document);

/// Script that sets a UTF-8 locale unless there is one. Tools in Python and Ruby fail in the plain
/// C locale, which a node has without a login.
std::string utf8_locale();

/// A file on a node that only root may read (mode 0600).
struct NodeFile {
    /// Absolute path.
    std::string path;
    PiecedText content;
};

/// The JSON as one line for a file. Shared values stay shared pieces.
PiecedText json_file(const base::Json& json, const AutomatorTask& task);

/// What an action does on a node: a command, and the files that exist while it runs. steps_of()
/// makes steps of it.
///
/// The files may hold passwords, so only root can read them and they are removed after the command.
/// They travel in the script of the step, so an action costs one step however many files it has.
struct NodeAction {
    /// Text for people, for example "start web".
    std::string label;
    /// How long the command may run.
    std::chrono::seconds limit = remote::Run{}.limit;
    /// The working directory of the command; must exist on the node.
    std::string directory;
    /// A directory for this action alone, made before and removed after with all its content.
    /// Empty: only the files are removed.
    std::string workspace;
    /// The files; with a workspace their directories are made, too.
    std::vector<NodeFile> files;
    /// Script that sets variables for the command.
    std::string variables;
    /// Script that ends with a line end and whose last exit status is the action's. A command that
    /// people wrote must run in a shell of its own: otherwise its `exit` would skip the removal of
    /// the files.
    std::string command;
    /// Names of the facts that the command may report (remote::Run::facts).
    std::vector<std::string> facts = {};
};

/// One step that writes the files, runs the command and removes the files. It removes them after
/// success and failure, and when it is asked to end. Files stay if the step does not end within
/// five seconds after that and is killed.
///
/// Texts too large for a script are delivered before the step. Shared ones are delivered once per
/// node and stay there for all steps, which touch those they need; make_directories() removes those
/// that no step has needed for a day.
remote::Steps steps_of(NodeAction action);

}  // namespace provisioner::automators
