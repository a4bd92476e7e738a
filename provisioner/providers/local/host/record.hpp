#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/local/host/processes.hpp"

namespace provisioner::providers::local {

/// What is stored of a machine in machine.json. It is written before each resource is taken and
/// removed after the last one is returned. So a crash at any point leaves a record of what to
/// remove.
struct Record {
    /// The machine's name; never empty in a stored record.
    std::string name;
    /// Name of its cluster.
    std::string cluster;
    /// The task it was made for; 0 if the caller named none.
    long long task = 0;
    /// Full name.
    std::string hostname;
    /// The user who may log in.
    std::string ssh_user;
    /// IPv4 address; place_of() gives network, cable and bridge.
    std::string address;
    /// "ssh-ed25519 AAAA...".
    std::string host_key;
    /// Which limits hold, in words; empty until they are set.
    std::string limits;
    /// Whose host it is; empty if the caller named no tenant.
    std::string tenant{};
    /// What its cluster let in when it was made: "80/tcp", "8000-8100/udp".
    std::vector<std::string> open_ports{};
    /// The first of its user ids on the machine; 0: it has those of the machine, so its root is the
    /// machine's.
    long long first_id = 0;
    /// The host's first process. Its number is 0 until it exists; its boot id is set from the
    /// start.
    ProcessId process;
    /// Whether the start went through to its end. `start` replaces a machine without it.
    bool complete = false;

    bool operator==(const Record&) const = default;
};

/// The record as machine.json holds it: one line of JSON.
std::string text_of(const Record& record);

/// Reads such a text; nothing if it is no JSON or has no name. Members that are missing or of
/// another type get their defaults.
std::optional<Record> record_of(std::string_view text);

/// What `start`, `status` and `list` print about a machine: its record without the bookkeeping,
/// with `pid` and `state` ("running" or "stopped").
base::Json answer_of(const Record& record, std::string_view state);

}  // namespace provisioner::providers::local
