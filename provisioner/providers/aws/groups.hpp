#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/providers/aws/api.hpp"
#include "provisioner/providers/aws/replies.hpp"
#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/cloud/firewall.hpp"

namespace provisioner::providers::aws {

/// Ids of the security groups of a new machine: `security_group_ids`, else those that
/// `security_groups` names in the network of the machine, else the cluster's own group, which is
/// made, or repaired so that its rules are those of wanted_rules() and its members reach each
/// other. Throws cloud::Refusal for an unknown name, with near ones, and cloud::NotYet while
/// somebody else changes the group.
boost::asio::awaitable<std::vector<std::string>> groups_for(Api& api, const cloud::Order& order);

/// The call that makes the group of a cluster; `vpc` is empty for the default network.
Query create_group(const Account& account, const cloud::Mark& mark, const std::string& vpc);
/// The call "AuthorizeSecurityGroupIngress" or "RevokeSecurityGroupIngress" for these rules.
/// `inside`: also for everything between the members.
Query change_rules(const std::string& action, const std::string& group,
                   const std::vector<cloud::FirewallRule>& rules, bool inside);

}  // namespace provisioner::providers::aws
