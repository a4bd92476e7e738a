#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/cloud/mark.hpp"

namespace provisioner::providers::openstack {

/// A mark as the description of a port, an address or a group (at most 255 characters):
/// "cooperage-cluster=00000001 cooperage-installation=... cooperage-machine=00000001-1001".
std::string description_of(const cloud::Mark& mark);
/// The mark at the beginning of a description; empty for others' descriptions.
cloud::Mark mark_in_description(const std::string& description);
/// Whether `own` is a part of what `mark` names, a machine or a cluster: of this installation, and
/// not made for a later task.
bool belongs_to(const cloud::Mark& own, const cloud::Mark& mark);

/// The description of an address that the project had already: the mark, and what it was before.
std::string description_of_taken(const cloud::Mark& mark, const std::string& before);
/// What the description was before the address was taken; nothing for one that was made for us.
std::optional<std::string> description_before(const std::string& description);

/// Ids of the things with that name or id. Throws Refusal for none, with near names, and for
/// several: an image of that name may be anybody's. `field` and `what` are for the message.
std::string id_named(const std::vector<base::Json>& things, const std::string& name,
                     const std::string& field, const std::string& what);

/// Networks that machines can have: up, with subnets, and not external.
std::vector<base::Json> usable_networks(const std::vector<base::Json>& networks);
std::vector<base::Json> external_networks(const std::vector<base::Json>& networks);

/// What has to change in a security group of ours.
struct GroupChanges {
    /// Bodies of POST /security-group-rules.
    std::vector<base::Json> missing{};
    /// Ids of rules.
    std::set<std::string> surplus{};
};

/// Compares the ingress rules of a group with what is wanted: these rules, and everything between
/// members of the group. Egress rules stay as they are.
GroupChanges changes_of_group(const base::Json& group,
                              const std::vector<cloud::FirewallRule>& wanted);

}  // namespace provisioner::providers::openstack
