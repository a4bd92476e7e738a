#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/process.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::local {

/// How this installation keeps local hosts.
struct Settings {
    /// Path of cooperage-local-host.
    std::string program;
    /// Where the machines are kept; processes that share it share its network.
    std::string state_dir;
    /// The shared roots: image "debian12" is <roots_dir>/debian12.
    std::string roots_dir;
    /// Never more hosts than this, whatever a provider's max_hosts says.
    long max_hosts = 100;
    /// The machine they are on, as people know it.
    std::string host{};
};

/// A host as the program reports it.
struct Host {
    std::string name;
    /// "running", "stopped" or "missing".
    std::string state;
    std::string address;
    /// "ssh-ed25519 AAAA...".
    std::string host_key;
    std::string ssh_user;
    std::string limits;

    bool operator==(const Host&) const = default;
};

/// The program's words for "start", or what is wrong with the spec: `memory_mb` and `cpus` of the
/// hardware type, `image` of the image type, `max_hosts` of the provider's fields.
base::Checked<std::vector<std::string>> start_command(const Settings& settings,
                                                      const base::Json& fields,
                                                      const MachineSpec& spec);

std::vector<std::string> status_command(const Settings& settings, const std::string& name);
/// `task` is MachineSpec::task.
std::vector<std::string> stop_command(const Settings& settings, const std::string& name,
                                      long long task);

std::vector<std::string> list_command(const Settings& settings);

/// Reads what the program answered. Throws std::runtime_error when it was cut off, or said nothing
/// that makes sense: then nothing is known.
std::variant<Host, Refused> read_answer(const ProcessResult& result);

/// The hosts in what the program answered to "list". Throws like read_answer().
std::vector<SeenMachine> read_list(const ProcessResult& result);

/// What the node remembers of a machine that was made.
Machine machine_of(const Host& host);

/// Where it can be reached.
Reachable reachable_of(const Host& host);

}  // namespace provisioner::providers::local
