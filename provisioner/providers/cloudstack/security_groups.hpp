#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/cloudstack/api.hpp"

namespace provisioner::providers::cloudstack {

/// A rule of a group that lets packets in.
struct GroupRule {
    /// Empty for a rule that is not made yet.
    std::string id{};
    std::string protocol{};
    int first_port = 0;
    int last_port = 0;
    /// A network; empty for a rule that names a group.
    std::string range{};
    /// The group whose machines may come in; empty for a rule that names a network.
    std::string group{};

    /// Whether both let in the same.
    bool is_like(const GroupRule& other) const;
};

/// What the rules of the cluster's group must be: the wanted ones, and everything between its
/// machines.
std::vector<GroupRule> wanted_group_rules(const std::vector<cloud::FirewallRule>& wanted,
                                          const std::string& group);
/// The rules that listSecurityGroups shows.
std::vector<GroupRule> group_rules_in(const base::Json& group);
/// Parameters of authorizeSecurityGroupIngress.
Params authorization(const std::string& group_id, const std::string& account,
                     const GroupRule& rule);

/// One group for each cluster, in zones that have security groups.
class SecurityGroups {
 public:
    explicit SecurityGroups(Api& api) : api_(api) {}

    /// The id of the cluster's group, which is made and repaired. Throws NotYet when another
    /// machine of the cluster makes it at this moment.
    boost::asio::awaitable<std::string> repaired(const cloud::Order& order);
    /// Deletes the cluster's group. One that is still used, by machines that are destroyed and not
    /// expunged, stays for the sweep.
    boost::asio::awaitable<void> remove(const Account& account, const cloud::Mark& mark);
    /// Groups of clusters without a machine.
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines);

 private:
    /// The groups of the name, or all.
    boost::asio::awaitable<std::vector<base::Json>> groups(const Account& account,
                                                           std::string name);
    /// Changes a rule. Throws NotYet if the group or the rule is gone.
    boost::asio::awaitable<void> change(const Account& account, std::string command, Params params);
    boost::asio::awaitable<void> repair(const cloud::Order& order, const base::Json& group);

    Api& api_;
};

}  // namespace provisioner::providers::cloudstack
