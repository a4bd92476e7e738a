#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/access/group.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Who may use entries of the catalogue. An entry without a permission is for everybody. A
// permission stays when its last group or user is deleted, and when its entry is: nothing becomes
// free by a deletion.

/// What a permission grants, by ids.
struct Grants {
    std::vector<model::Role> roles{};
    std::vector<model::GroupId> groups{};
    std::vector<model::UserId> users{};
};

/// All permissions of a tenant, by kind and name.
std::vector<model::Permission> list_permissions(Connection& connection, model::TenantId tenant);
/// The permission of an entry; nothing when everybody may use it.
std::optional<model::Permission> find_permission(Connection& connection, model::TenantId tenant,
                                                 const model::EntryName& entry);
/// Sets the permission of an entry. Lock the tenant first.
void replace_permission(Connection& connection, model::TenantId tenant,
                        const model::EntryName& entry, const Grants& grants);
/// Lets everybody use an entry.
void delete_permission(Connection& connection, model::TenantId tenant,
                       const model::EntryName& entry);
/// What the caller may not use, by role, groups and name. Nothing for roles with
/// Right::every_entry, without a read.
model::Withheld withheld_from(Connection& connection, const model::Caller& caller);

}  // namespace provisioner::store
