#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/local/host/limits.hpp"
#include "provisioner/providers/local/host/record.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {

/// How many hosts there may be when nobody says otherwise.
inline constexpr long default_max_hosts = 100;

/// A machine somebody wants.
struct StartRequest {
    std::string name;
    std::filesystem::path state;
    /// The shared root, as `cooperage-local-host root` makes it.
    std::filesystem::path root;
    std::string cluster;
    /// The task it is made for; 0: nobody says.
    long long task = 0;
    std::string hostname;
    std::string ssh_user = "root";
    std::string authorized_key;
    Limits limits;
    long max_hosts = default_max_hosts;

    bool operator==(const StartRequest&) const = default;
};

/// The machine of that name: the one that runs, or a new one. What an earlier start has left
/// half-made, or a machine that died, is removed first. When it returns, the host's sshd is
/// starting. Throws Refusal (nothing was made) or Failure (nothing is left of the attempt).
Record start_machine(const StartRequest& request);

/// Removes the machine with all it has: processes, namespaces, mounts, cable, control groups, name,
/// address, directory. The last one takes the network away. A machine that does not exist is fine;
/// one that was made for a later task than `task` is left alone, unless that is 0.
void stop_machine(const StateDir& dir, const std::string& name, long long task);

/// Name, "state" ("running", "stopped", "missing") and, unless it is missing, the rest of
/// answer_of().
base::Json status_of(const StateDir& dir, const std::string& name);

/// Removes all machines, the network and the directories of the state directory. Gives their names.
std::vector<std::string> clean_up(const StateDir& dir);

}  // namespace provisioner::providers::local
