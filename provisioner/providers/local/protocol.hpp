#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/local/bounds.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::local {

/// How this installation keeps local hosts; from the settings file (local.*).
///
/// This header is the protocol between the provider and the helper (`cooperage-local-host serve`,
/// helper/request.hpp): a line of JSON out, lines of JSON back. It does no I/O, so tests compare
/// texts and need neither root nor a host.
struct Settings {
    /// Path of the unix socket that the helper listens on.
    std::string socket;
    /// The helper's state directory; only for account_name().
    std::string state_dir;
    /// Upper limit of hosts, as the helper has it; a provider's max_hosts can only lower it.
    long max_hosts = default_max_hosts;
    /// Name of the machine the hosts run on, for account_name().
    std::string host{};
};

/// A host as the program reports it. Texts are empty if the program did not report them.
struct Host {
    /// The machine's name, MachineSpec::name.
    std::string name;
    /// "running", "stopped" or "missing".
    std::string state;
    /// IPv4 address, "10.77.0.86".
    std::string address;
    /// "ssh-ed25519 AAAA...".
    std::string host_key;
    /// The user who may log in.
    std::string ssh_user;
    /// Which limits hold, in words: "memory 512 MB, 1 cpus".
    std::string limits;

    bool operator==(const Host&) const = default;
};

/// The request that makes a host, or all problems with the spec. Checked are `memory_mb`, `cpus`
/// and `processes` of the hardware type, `image` of the image type, and `max_hosts` of the
/// provider's fields. The helper checks all of it again, and the ports that services declare.
base::Checked<std::string> start_request(const Settings& settings, const base::Json& fields,
                                         const MachineSpec& spec);

/// The request that reports one host.
std::string status_request(const std::string& name);
/// The request that removes a host unless it was made for a task later than `task`; 0 removes any.
std::string stop_request(const std::string& name, long long task);

/// The request that reports all hosts, a line each.
std::string list_request();

/// Reads what the helper answered to start, status or stop. An error that it reports is a Refused:
/// "limit" and "failure" are worth a retry, and only "failure" may have made something. Throws
/// std::runtime_error if the answer was cut off or is anything else: the result is then unknown.
std::variant<Host, Refused> read_answer(const std::string& answer);

/// The hosts in the answer to "list", half-made ones included, sorted by name. Throws
/// std::runtime_error for any failure, so that an incomplete list never passes for a whole one.
std::vector<SeenMachine> read_list(const std::string& answer);

/// The machine as create() returns it. Its facts are providerid, ssh-auth.user,
/// ssh_host_keys.ed25519 and limits.
Machine machine_of(const Host& host);

/// The host's address, for both access and services, and its key.
Reachable reachable_of(const Host& host);

}  // namespace provisioner::providers::local
