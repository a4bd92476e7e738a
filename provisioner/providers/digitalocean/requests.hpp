#pragma once

#include <optional>
#include <string>

#include "provisioner/providers/digitalocean/api.hpp"

namespace provisioner::providers::digitalocean {

/// What a droplet is made with besides its order.
struct Parts {
    /// Id of the account's key `ssh_keypair`.
    std::optional<std::int64_t> key{};
    /// Id of the data disk; empty: none.
    std::string volume{};
};

/// The most bytes of user data that DigitalOcean takes.
inline constexpr std::size_t most_user_data = 64 * 1024;

Call create_droplet(const cloud::Order& order, const Parts& parts);
Call destroy_droplet(const std::string& id);

/// Makes a tag; one that exists is no failure.
Call create_tag(const std::string& tag);
/// Puts a tag that exists on droplets.
Call tag_droplets(const std::string& tag, const std::vector<std::string>& ids);
Call delete_tag(const std::string& tag);

/// The firewall of the cluster as it should be: what comes in is wanted_rules() and everything
/// from machines of the cluster; everything goes out.
base::Json firewall_body(const Account& account, const MachineSpec& spec);
/// Whether a firewall has the rules and the tags of that body, in whatever order.
bool is_as_wanted(const base::Json& firewall, const base::Json& wanted);

/// The data disk of the machine with that mark, formatted with ext4.
Call create_volume(const Account& account, const cloud::Mark& mark, const std::string& region);
/// cloud-init's members that mount the machine's data disk on /data.
base::Json mounts_of_volume(const cloud::Mark& mark);

}  // namespace provisioner::providers::digitalocean
