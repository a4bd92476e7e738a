#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "provisioner/providers/local/local_provider.hpp"

namespace tests {

/// A private state directory, removed with all its hosts at the end, on a shared root:
/// $COOPERAGE_ROOTS/debian12, or that of var/roots, which the first test builds. A helper serves
/// it. Needs root.
class LocalHosts {
 public:
    LocalHosts();
    ~LocalHosts();
    LocalHosts(const LocalHosts&) = delete;
    LocalHosts& operator=(const LocalHosts&) = delete;

    /// Runs the verb to its end; `fields` are those of the provider.
    provisioner::providers::Created create(
        const provisioner::providers::MachineSpec& spec,
        const provisioner::base::Json& fields = provisioner::base::Json::object());
    provisioner::providers::Confirmed confirm(const provisioner::providers::MachineSpec& spec);
    provisioner::providers::Destroyed destroy(const provisioner::providers::MachineSpec& spec);

    /// create(), then confirm() until it answers; fails the test after 30 s.
    provisioner::providers::Reachable reach(const provisioner::providers::MachineSpec& spec);

    /// A machine of cluster "c1" with the test's key: "<name>.demo.local".
    provisioner::providers::MachineSpec spec(const std::string& name) const;

    /// The same of another cluster.
    provisioner::providers::MachineSpec spec_in(const std::string& cluster,
                                                const std::string& name) const;

    /// What the host prints, standard error too. Trusts no host key but the one the provider gave.
    std::string ssh(const provisioner::providers::Reachable& host, const std::string& command,
                    const std::string& user = "root") const;

    /// Starts the program without waiting: its process number.
    pid_t begin(const std::vector<std::string>& command) const;

    /// The command that starts that machine without the helper.
    std::vector<std::string> start_command(const provisioner::providers::MachineSpec& spec) const;

    /// Starts a helper and returns when it listens: to root and the user "daemon", whose group may
    /// connect. If one runs already, the new one stands by until that one ends, and is not waited
    /// for.
    void start_helper();
    /// The helper at work, if it was not ended.
    pid_t oldest_helper() const { return helpers_.front(); }
    /// Sends the signal to that helper, and waits for its end: its wait status.
    int end_oldest_helper(int signal);

    /// A folder that every user may pass through, removed with the hosts.
    const std::filesystem::path& folder() const { return folder_; }

    /// Path of cooperage-local-host.
    std::string program;
    provisioner::providers::local::Settings settings;

 private:
    std::filesystem::path folder_;
    std::vector<pid_t> helpers_;
};

/// What hosts can leave behind on this machine: network interfaces, mounts, control groups, claims
/// of networks, and the processes of hosts of that state directory. One word each.
std::set<std::string> traces_on_this_machine(const std::string& state_dir);

}  // namespace tests
