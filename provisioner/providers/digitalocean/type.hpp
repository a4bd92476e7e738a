#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::digitalocean {

/// Fields and required sets: Coopr's, word for word, and ours after them.
model::PluginType provider_type();

/// Problems of fields and spec that are found without a call.
base::Problems problems_of(const Account& account, const MachineSpec& spec);

/// Gigabytes of the data disk that each machine gets; 0: none.
int volume_size(const Account& account);
/// Whether the cluster gets a firewall of ours.
bool has_firewall(const Account& account);
/// Whether machines have an address in the internet.
bool has_public_address(const Account& account);
/// Tags of the owner's own for each droplet: `digitalocean_tags`.
std::vector<std::string> own_tags(const Account& account);

}  // namespace provisioner::providers::digitalocean
