#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/local/host/processes.hpp"

namespace provisioner::providers::local {

/// What is remembered of a machine, from before its first trace in the system until after its last.
struct Record {
    std::string name;
    std::string cluster;
    /// The task it was made for; 0: nobody said.
    long long task = 0;
    /// Full name.
    std::string hostname;
    std::string ssh_user;
    /// Empty until one is claimed.
    std::string address;
    /// "ssh-ed25519 AAAA...".
    std::string host_key;
    /// What limits hold, in words.
    std::string limits;
    /// The host's first process; number 0 until it is born.
    ProcessId process;
    /// Whether the start went through to its end.
    bool complete = false;

    bool operator==(const Record&) const = default;
};

/// The record as it is kept in machine.json.
std::string text_of(const Record& record);

/// Reads such a text; nothing when it is none.
std::optional<Record> record_of(std::string_view text);

/// The answer of `start`, `status` and `list` about a machine: its record without the bookkeeping,
/// `pid`, and whether it is "running", "stopped" or "missing" (`state`).
base::Json answer_of(const Record& record, std::string_view state);

}  // namespace provisioner::providers::local
