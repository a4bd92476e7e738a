#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::aws {

/// The provider type "aws": Coopr's fields, and after them ours.
model::PluginType aws_type();

/// The field `aws_region`, us-east-1 if it is empty.
std::string region_of(const Account& account);
/// Where the account's API is: `api_endpoint`, or that of the region. Without a slash at the end.
std::string endpoint_of(const Account& account);
/// Whether calls are signed with the credentials of the instance profile of the daemon's machine.
bool uses_instance_profile(const Account& account);
/// Whether the machine asks for a public address: nothing when the subnet decides.
std::optional<bool> public_address(const Account& account, const MachineSpec& spec);
/// The tags that people want on the machine: `tags`, an array or a comma list of key=value.
std::vector<std::pair<std::string, std::string>> own_tags(const Account& account,
                                                          const MachineSpec& spec);
/// Subnets to try, `subnet_id` as a comma list; may be empty.
std::vector<std::string> subnets_of(const Account& account, const MachineSpec& spec);

/// Problems of the account that are found without a call: login, region.
base::Problems check_account(const Account& account, bool allows_instance_profile,
                             http_client::OwnNetwork own_network);
/// Problems of what the machine is to be.
base::Problems check_machine(const Account& account, const MachineSpec& spec);

}  // namespace provisioner::providers::aws
