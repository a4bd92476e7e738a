#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::cloud {

/// Lets packets in that begin a connection. Everything goes out, and machines of one cluster reach
/// each other at all ports: each cloud adds that in its own way.
struct FirewallRule {
    /// "tcp" or "udp".
    std::string protocol{};
    int first_port = 0;
    int last_port = 0;
    /// "192.0.2.0/24" or "2001:db8::/32".
    std::string range{};

    auto operator<=>(const FirewallRule&) const = default;
};

/// The rules of the cluster's group, sorted, each once: port 22 from `ssh_ranges`, the ports that
/// services open (MachineSpec::open_ports) from `client_ranges`. A list that is empty means
/// everywhere (0.0.0.0/0 and ::/0).
std::vector<FirewallRule> wanted_rules(const Account& account, const MachineSpec& spec);

/// Problems of the ranges, and of ports in a form other than "80/tcp" or "8000-8100/udp".
base::Problems check_rules(const Account& account, const MachineSpec& spec);

/// What has to change so that `there` becomes `wanted`; both sorted.
struct RuleChanges {
    std::vector<FirewallRule> missing{};
    std::vector<FirewallRule> surplus{};
};
RuleChanges changes_of(const std::vector<FirewallRule>& there,
                       const std::vector<FirewallRule>& wanted);

}  // namespace provisioner::providers::cloud
