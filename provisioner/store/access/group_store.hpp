#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/access/group.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Groups of users. Writers lock the tenant first: names and members are checked before.

/// The groups of a tenant with their members, by name.
std::vector<model::Group> list_groups(Connection& connection, model::TenantId tenant);
/// The group of that name; nothing when there is none.
std::optional<model::Group> find_group(Connection& connection, model::TenantId tenant,
                                       const std::string& name);
/// Stores a group without members and returns its id.
model::GroupId insert_group(Connection& connection, model::TenantId tenant,
                            const model::Group& group, base::Timestamp now);
/// Replaces the description.
void update_group(Connection& connection, const model::Group& group);
/// Deletes a group and what it was granted. Entries that were for this group only stay restricted.
void delete_group(Connection& connection, model::GroupId group);
/// Replaces the members of a group; the users are of its tenant.
void replace_members(Connection& connection, model::GroupId group,
                     const std::vector<model::UserId>& users);
/// Names of the groups of a user, sorted.
std::vector<std::string> groups_of(Connection& connection, model::UserId user);
/// Replaces the groups of a user; they are of the user's tenant.
void replace_groups(Connection& connection, model::UserId user,
                    const std::vector<model::GroupId>& groups);

}  // namespace provisioner::store
