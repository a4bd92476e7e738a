#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/local/bounds.hpp"
#include "provisioner/providers/local/host/limits.hpp"
#include "provisioner/providers/local/host/record.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// A machine to make; from the command line, checked.
struct StartRequest {
    /// The machine's name; a file name, unique under `state`.
    std::string name;
    /// The state directory; created if missing.
    std::filesystem::path state;
    /// The shared root, as `cooperage-local-host root` builds it.
    std::filesystem::path root;
    /// Name of the cluster; its hosts share one hosts file.
    std::string cluster;
    /// The task it is made for; 0 if the caller named none.
    long long task = 0;
    /// Full name of the host.
    std::string hostname;
    /// The user who may log in; created if it is not root.
    std::string ssh_user = "root";
    /// One public key of that user, "ssh-ed25519 AAAA...".
    std::string authorized_key;
    Limits limits;
    /// Refuses if this many machines exist already.
    long max_hosts = default_max_hosts;
    /// Whose host it is; empty: the one tenant of an installation without tenants.
    std::string tenant{};
    /// What hosts of other clusters may reach on the hosts of this one: "80/tcp", "8000-8100/udp".
    /// Holds for all hosts of the cluster from this start on.
    std::vector<std::string> open_ports{};
    /// The same for the machine itself: what every host may reach on it.
    std::vector<std::string> machine_ports{};
    /// Most machines of the installation; `max_hosts` can be lower. What hosts may take of what all
    /// share depends on it.
    long most_hosts = default_max_hosts;
    /// Whether hosts of other tenants may be here although isolation is impossible.
    bool mixes_tenants = false;

    bool operator==(const StartRequest&) const = default;
};

/// The machine of that name: the running one, or a new one. Removes first what an earlier start
/// left half-made, or a machine that died. When it returns, the host's sshd is starting.
///
/// Several processes may call it at once, for the same machine too: the second waits and finds it
/// running. Throws Refusal (nothing was made) or Failure (everything was removed again). Only for a
/// program with a single thread, because it clones itself.
///
/// Where a host cannot be isolated (isolation/isolation.hpp), its root can become root of this
/// machine; where the rules of its network cannot be had (network/rules.hpp), it reaches all
/// services of the machine. So it is made only if there is no host of another tenant; nor is any
/// beside a host of another tenant that is not isolated. Each such start says why on standard
/// error.
Record start_machine(const StartRequest& request);

/// Removes the machine with its processes, namespaces, mounts, cable, control groups, name, address
/// and directory. With the last machine the network goes too. A missing machine is fine. One that
/// was made for a task later than `task` is left alone, unless `task` is 0. Can be repeated after a
/// crash.
void stop_machine(const StateDir& dir, const std::string& name, long long task);

/// Name and "state": "running", "stopped" or "missing". With a record also the rest of answer_of().
/// Takes no lock, so a machine that is being made reports "stopped".
base::Json status_of(const StateDir& dir, const std::string& name);

/// Removes all machines, the network and the directories of the state directory. Waits for others
/// at work there. Returns the machines' names, sorted.
std::vector<std::string> clean_up(const StateDir& dir);

}  // namespace provisioner::providers::local
