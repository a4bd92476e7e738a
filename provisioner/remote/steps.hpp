#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace provisioner::remote {

/// Puts a file on a node. Repeating it is harmless: the same content replaces itself.
struct Upload {
    /// Absolute path; missing directories are made.
    std::string path;
    std::string content;
    /// Permission bits, for example 0755.
    int mode = 0644;

    bool operator==(const Upload&) const = default;
};

/// A file that is too large, or wanted on too many nodes, to be carried along: known by what is in
/// it, and read piece by piece when a node lacks it.
struct DeliveredFile {
    /// Absolute path; missing directories are made.
    std::string path;
    /// Permission bits.
    int mode = 0644;
    /// Of the content, 64 hexadecimal digits in lower case.
    std::string sha256;
    /// Bytes.
    std::uint64_t size = 0;
    /// The content, where it was made for the node and is stored nowhere; null where it is stored.
    std::shared_ptr<const std::string> content = nullptr;
    /// Whether it is named by its checksum and nobody takes it away soon: a session looks only once
    /// whether it is there.
    bool stays = false;

    bool operator==(const DeliveredFile&) const = default;
};

/// Sees to it that a node has these files. Those that are there with the same content are not sent
/// again.
struct Delivery {
    /// What people read, for example "bring 3 files".
    std::string label;
    std::vector<DeliveredFile> files;

    bool operator==(const Delivery&) const = default;
};

/// Runs a text with /bin/sh on a node, exactly once per StepKey: the node keeps a ledger.
struct Run {
    /// What people read, for example "start haproxy".
    std::string label;
    /// The script. It reaches the node by standard input, never as an argument.
    std::string script;
    /// How long it may run before it is killed and counts as failed.
    std::chrono::seconds limit{1800};
    /// Names of facts about the node that the script may tell, each on a line of its standard
    /// output: "cooperage-fact <name> <JSON>". What it says of others is only output: a node must
    /// not be able to change what a provider knows it by.
    std::vector<std::string> facts = {};
    /// Whether it is another step when the script is another. Not where the script speaks of other
    /// nodes: what is known of these may have changed when the same step is asked for again.
    bool script_is_fixed = false;
    /// Files that have to be on the node before it begins. They do not tell one step from another.
    std::vector<DeliveredFile> needs = {};

    bool operator==(const Run&) const = default;
};

using Step = std::variant<Upload, Delivery, Run>;
using Steps = std::vector<Step>;

/// For each Run among the steps, in their order, what tells it from another under the same key: it
/// is another text when any of the steps is another one, and when the run's script is, where that
/// is fixed.
std::vector<std::string> kinds_of(const Steps& steps);

/// Names one run for the ledger on the node: "<task>-<attempt>-<number among the runs, from 0>". A
/// second attempt after a failure is another key; a worker that takes over after a crash uses the
/// same key with a higher fence and so finds what the first one started.
struct StepKey {
    std::string name;
    /// The claim's fence: the node refuses a lower one than it has seen for this key.
    long long fence = 0;
    /// One of kinds_of(): the node refuses another than the first it has seen for this key. Empty:
    /// whatever step is there is the one that is meant.
    std::string kind = {};
};

}  // namespace provisioner::remote
