#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace provisioner::remote {

/// Puts a small file on a node; its content travels with the step. Repeating it is harmless: the
/// same content replaces itself.
struct Upload {
    /// Absolute path of a file, without line ends. Missing directories are made.
    std::string path;
    /// The whole file; any bytes. Above 1 MiB, or with zero bytes, it costs a command of its own.
    std::string content;
    /// Permission bits, 0 to 07777, for example 0755.
    int mode = 0644;

    bool operator==(const Upload&) const = default;
};

/// A file that is too large, or needed on too many nodes, to travel inside a step. It is identified
/// by its checksum and read piece by piece when a node lacks it.
struct DeliveredFile {
    /// Absolute path of a file, without line ends. Missing directories are made.
    std::string path;
    /// Permission bits, 0 to 07777.
    int mode = 0644;
    /// SHA-256 of the content, 64 hexadecimal digits in lower case.
    std::string sha256;
    /// Size of the content in bytes.
    std::uint64_t size = 0;
    /// The content, if it was generated for the node and is stored nowhere else. Null: the daemon
    /// reads it from the content store by its checksum.
    std::shared_ptr<const std::string> content = nullptr;
    /// Whether the path is named after the checksum and the file is not removed soon. A session
    /// then checks only once that the file is there, and again after a failed step.
    bool stays = false;

    bool operator==(const DeliveredFile&) const = default;
};

/// Makes sure that a node has these files. A file with the right content is not sent again.
struct Delivery {
    /// Text for people, for example "bring 3 files".
    std::string label;
    /// In any order; may be empty.
    std::vector<DeliveredFile> files;

    bool operator==(const Delivery&) const = default;
};

/// Runs a script with /bin/sh on a node, once per StepKey: the node keeps a ledger. The script runs
/// as root, with the root directory as its working directory and umask 022.
struct Run {
    /// Text for people, for example "start haproxy". Transcripts and failure messages show it.
    std::string label;
    /// Shell text without zero bytes. It reaches the node by standard input, never as an argument.
    /// So secrets in it are not visible in process lists.
    std::string script;
    /// How long the script may run before the node kills it; at least one second. It then counts as
    /// failed.
    std::chrono::seconds limit{1800};
    /// Names of the facts that the script may report, each on a line of standard output:
    /// "cooperage-fact <name> <JSON>". Lines with other names are plain output: a node must not be
    /// able to change its provider's id.
    std::vector<std::string> facts = {};
    /// Whether another script makes it another step (kinds_of()). False where the script names
    /// other nodes: their addresses may change before the same step is asked for again.
    bool script_is_fixed = false;
    /// Files that must be on the node before the script begins. They do not count for kinds_of().
    std::vector<DeliveredFile> needs = {};

    bool operator==(const Run&) const = default;
};

/// One step of a task.
using Step = std::variant<Upload, Delivery, Run>;
/// The steps of one task, carried out in this order. The first failure ends the attempt.
using Steps = std::vector<Step>;

/// One text for each Run, in order, that identifies it among the steps of an attempt. It depends on
/// the number of the run and on what every step is called: an upload's path, the label of a
/// delivery or run. It depends on the run's own script where `script_is_fixed`. Equal texts mean
/// that a repeated request asks for the same step.
std::vector<std::string> kinds_of(const Steps& steps);

/// Identifies one run in the node's ledger. A second attempt after a failure has another name. A
/// worker that takes over after a crash uses the same name with a higher fence. So it finds what
/// the first one started.
struct StepKey {
    /// "<task>-<attempt>-<number among the runs, from 0>". The node compares attempts by it: a new
    /// attempt ends what earlier ones left running.
    std::string name;
    /// The fence of the claim, not negative. The node refuses a fence lower than the highest it has
    /// seen under this name.
    long long fence = 0;
    /// One of kinds_of(). The node refuses another kind than the first it has seen under this name.
    /// Empty: any step under this name is the right one; an aborted job only waits for its end.
    std::string kind = {};
};

}  // namespace provisioner::remote
