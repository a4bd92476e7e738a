#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/local/bounds.hpp"
#include "provisioner/providers/process.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::local {

/// How this installation keeps local hosts; from the settings file (local.*).
///
/// This header is the protocol between the provider and cooperage-local-host: commands out, lines
/// of JSON back. It does no I/O, so tests compare texts and need neither root nor a host.
struct Settings {
    /// Absolute path of cooperage-local-host.
    std::string program;
    /// Directory of the machines' records and file systems. Daemons that share it share its network
    /// and its limit of hosts.
    std::string state_dir;
    /// Directory of the shared roots: image "debian12" is <roots_dir>/debian12.
    std::string roots_dir;
    /// Upper limit of hosts under `state_dir`; a provider's max_hosts can only lower it.
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

/// The command that makes a host, or all problems with the spec. Checked are `memory_mb` and `cpus`
/// of the hardware type, `image` of the image type, and `max_hosts` of the provider's fields. The
/// image must be a plain file name, so that it cannot leave `roots_dir`.
base::Checked<std::vector<std::string>> start_command(const Settings& settings,
                                                      const base::Json& fields,
                                                      const MachineSpec& spec);

/// The command that reports one host.
std::vector<std::string> status_command(const Settings& settings, const std::string& name);
/// The command that removes a host unless it was made for a task later than `task`; 0 removes any.
std::vector<std::string> stop_command(const Settings& settings, const std::string& name,
                                      long long task);

/// The command that reports all hosts, a line each.
std::vector<std::string> list_command(const Settings& settings);

/// Reads what the program answered to start, status or stop. An error that the program reports is a
/// Refused: "limit" and "failure" are worth a retry, and only "failure" may have made something.
/// Throws std::runtime_error if the program was cut off or printed anything else: the result is
/// then unknown.
std::variant<Host, Refused> read_answer(const ProcessResult& result);

/// The hosts in the answer to "list", half-made ones included, sorted by name. Throws
/// std::runtime_error for any failure, so that an incomplete list never passes for a whole one.
std::vector<SeenMachine> read_list(const ProcessResult& result);

/// The machine as create() returns it. Its facts are providerid, ssh-auth.user,
/// ssh_host_keys.ed25519 and limits.
Machine machine_of(const Host& host);

/// The host's address, for both access and services, and its key.
Reachable reachable_of(const Host& host);

}  // namespace provisioner::providers::local
