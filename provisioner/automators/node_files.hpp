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
/// How long making directories may take, or unpacking an archive.
constexpr std::chrono::seconds file_work{300};

/// The step that makes directories, everybody may read them; harmless to repeat. `after` is script
/// that follows.
remote::Run make_directories(std::initializer_list<std::string> paths,
                             const std::string& after = "");

/// Lines that export the values of the task that are wanted most as COOPERAGE_... variables.
std::string exports(const AutomatorTask& task, const base::Json& document);

/// Script that makes the locale UTF-8 unless it is: tools in Python and Ruby stumble over the plain
/// C locale a node has without a login.
std::string utf8_locale();

/// A file on a node that only root may read.
struct NodeFile {
    /// Absolute path.
    std::string path;
    PiecedText content;
};

/// A line of JSON for a file; what is shared in it stays shared.
PiecedText json_file(const base::Json& json, const AutomatorTask& task);

/// What an action does on a node: files that only root may read are there while a command runs.
struct NodeAction {
    std::string label;
    /// How long the command may run.
    std::chrono::seconds limit = remote::Run{}.limit;
    /// Where the command runs.
    std::string directory;
    /// A directory of this action alone, made before and taken away after; none when empty.
    std::string workspace;
    std::vector<NodeFile> files;
    /// Script: variables for the command.
    std::string variables;
    /// Script whose last exit status is the action's. It cannot leave before the files are taken
    /// away only if it runs what people wrote in a shell of its own.
    std::string command;
    /// What the command may tell of the node, as remote::Run has it.
    std::vector<std::string> facts = {};
};

/// One step that puts the files together, runs the command and takes the files away again, whether
/// it went well, went wrong or was told to end. Large texts are brought to the node beforehand,
/// what is shared once for all steps; shared texts stay there until the next bootstrap after a day.
remote::Steps steps_of(NodeAction action);

}  // namespace provisioner::automators
