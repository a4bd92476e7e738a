#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/providers/cloud/mark.hpp"

namespace provisioner::providers::digitalocean {

// How things are named and tagged. Names of droplets are not unique there, tags are global in an
// account, and deleting a tag takes it off everything. So a droplet's mark is in its name, and tags
// say only the installation and the cluster.

/// "cooperage-01234567-00000001-1001-t10-1": installation, machine, task and attempt.
std::string droplet_name(const cloud::Mark& mark);

/// The mark in a name of droplet_name(), where the installation has only its first 8 digits.
/// Nothing for other names.
std::optional<cloud::Mark> mark_in_name(std::string_view name);

/// "cooperage-installation:0123...": on everything of the installation. Stays in the account.
std::string installation_tag(const std::string& installation);

/// "cooperage-cluster:01234567-00000001": on all of the cluster; the firewall takes effect by it.
/// Goes with the cluster.
std::string cluster_tag(const cloud::Mark& mark);

/// Name of the cluster's firewall, which is unique in an account.
std::string firewall_name(const cloud::Mark& mark);

/// Name of the machine's data disk, which is unique in a region.
std::string volume_name(const cloud::Mark& mark);

/// The mark in a name of firewall_name() or volume_name(); nothing for other names.
std::optional<cloud::Mark> mark_of_belonging(std::string_view name);

/// The first digits of an installation, as names have them.
std::string short_installation(std::string_view installation);

}  // namespace provisioner::providers::digitalocean
