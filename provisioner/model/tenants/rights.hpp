#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What a user is. The table right_rows says what each role may; a role reaches no further than the
/// user's tenant, but for superadmins.
enum class Role {
    /// Also manages tenants, their users and daemons. Belongs to the tenant "superadmin".
    superadmin,
    /// Manages the tenant: catalogue, people, prices and all clusters.
    admin,
    /// Creates clusters and operates all clusters of the tenant.
    cluster_operator,
    /// Creates clusters and operates only those.
    user,
    /// Reads what administrators of the tenant read, and changes nothing.
    auditor,
};

/// Something that a role may do.
enum class Right {
    own_account,
    use_clusters,
    see_clusters,
    operate_clusters,
    every_entry,
    see_tenant,
    administer_tenant,
    administer_installation,
};

/// A right, in words, and the roles that have it.
struct RightRow {
    Right right{};
    /// Identifies it in the API.
    std::string_view word{};
    /// For the page of permissions; follows "may".
    std::string_view says{};
    /// Those of all_roles, in that order.
    std::array<bool, 5> of_roles{};
};

/// Every role, from the one that may the most.
inline constexpr std::array all_roles{Role::superadmin, Role::admin, Role::cluster_operator,
                                      Role::user, Role::auditor};

/// Which role may do what. Everything that asks for a right asks this table: routes
/// (fcgi/auth/permissions.cpp), operations and stores (Caller::may).
inline constexpr std::array right_rows{
    RightRow{Right::own_account,
             "own-account",
             "manage their own password, second factor, sessions and API keys",
             {true, true, true, true, true}},
    RightRow{Right::use_clusters,
             "use-clusters",
             "create clusters, see and operate those they own",
             {true, true, true, true, false}},
    RightRow{Right::see_clusters,
             "see-clusters",
             "see all clusters of the tenant",
             {true, true, true, false, true}},
    RightRow{Right::operate_clusters,
             "operate-clusters",
             "operate, change and delete all clusters of the tenant",
             {true, true, true, false, false}},
    RightRow{Right::every_entry,
             "every-entry",
             "see and use every entry of the catalogue, whatever its permissions",
             {true, true, false, false, true}},
    RightRow{Right::see_tenant,
             "see-tenant",
             "see the whole catalogue, files, users, groups, permissions, unknown machines and "
             "the audit log",
             {true, true, false, false, true}},
    RightRow{Right::administer_tenant,
             "administer-tenant",
             "change the catalogue, files, prices, users, groups and permissions, release "
             "machines and terminate clusters without their provider",
             {true, true, false, false, false}},
    RightRow{
        Right::administer_installation,
        "administer-installation",
        "manage tenants with their quotas and users, identity providers, plugin types, machine "
        "records and prices for all tenants, and see provisioners",
        {true, false, false, false, false}},
};

/// Whether a role has a right. Throws std::logic_error for one that is not in the tables.
constexpr bool has(Role role, Right right) {
    const auto* const row = std::ranges::find(right_rows, right, &RightRow::right);
    const auto* const at = std::ranges::find(all_roles, role);
    if (row == right_rows.end() || at == all_roles.end()) throw std::logic_error("unknown right");
    return row->of_roles[static_cast<std::size_t>(at - all_roles.begin())];
}

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of user.role, of "role" in the API and of the audit log.
template <>
inline constexpr std::array words<model::Role>{
    std::pair{model::Role::superadmin, std::string_view("superadmin")},
    std::pair{model::Role::admin, std::string_view("admin")},
    std::pair{model::Role::cluster_operator, std::string_view("operator")},
    std::pair{model::Role::user, std::string_view("user")},
    std::pair{model::Role::auditor, std::string_view("auditor")}};

}  // namespace provisioner::base
