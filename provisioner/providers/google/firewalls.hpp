#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::google {

/// Bodies of the firewall rules that a cluster needs, by name in ascending order. Targets are the
/// machines with its tag (names.hpp):
///
///     <tag>-cluster   machines of the cluster reach each other at all ports
///     <tag>-ssh       port 22 from `ssh_ranges`; <tag>-ssh6 for IPv6
///     <tag>-ports     ports that services open from `client_ranges`; <tag>-ports6 for IPv6
std::vector<base::Json> wanted_firewalls(const Account& account, const MachineSpec& spec);

/// What brings the rules that there are to those that are wanted.
struct FirewallChanges {
    /// Bodies.
    std::vector<base::Json> missing{};
    /// Bodies of rules that somebody changed.
    std::vector<base::Json> different{};
    /// Names.
    std::vector<std::string> surplus{};
};

/// `there`: rules as the API lists them, all with the tag at the beginning of their names. A rule
/// of another network is surplus, and missing once it is gone.
FirewallChanges firewall_changes(const std::vector<base::Json>& there,
                                 const std::vector<base::Json>& wanted);

/// The filter of a listing of rules whose names begin with `prefix`.
std::string firewall_filter(const std::string& prefix);

/// The cluster of a rule of this installation, by its name; empty for others.
std::string cluster_of_firewall(const Account& account, const std::string& rule);

/// Whether the account's clusters get rules: `google_firewall`, yes if nobody says. A network of
/// another project (a shared VPC) keeps its own.
bool makes_firewalls(const Account& account, const MachineSpec& spec);

}  // namespace provisioner::providers::google
