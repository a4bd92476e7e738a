#pragma once

#include <string>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::model {

/// superadmin: the installation's; admin: everything of one tenant; user: own clusters.
enum class Role { superadmin, admin, user };

/// Whose things these are.
struct Tenant {
    TenantId id;
    /// The id the outside sees: a UUID, "superadmin" for the tenant of that name.
    std::string uid;
    std::string name;
    std::string description;
    int workers = 0;
    int max_clusters = no_maximum;
    int max_nodes = no_maximum;
};

/// Somebody who may log in.
struct User {
    UserId id;
    TenantId tenant;
    std::string name;
    Role role = Role::user;
    /// Argon2id, as libsodium writes it; empty for a user without password login.
    std::string password_hash;
};

/// Who is asking: a user and their tenant.
struct Caller {
    User user;
    Tenant tenant;

    bool is_admin() const { return user.role != Role::user; }

    /// The tenant whose things an admin looks after; 0: those of all, for superadmins.
    TenantId tenant_in_charge() const {
        return user.role == Role::superadmin ? TenantId{} : tenant.id;
    }
};

/// Who is asking, to be kept with a job.
inline Asker asker(const Caller& caller) {
    return {.user = caller.user.id, .name = caller.user.name};
}

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::Role>{
    std::pair{model::Role::superadmin, std::string_view("superadmin")},
    std::pair{model::Role::admin, std::string_view("admin")},
    std::pair{model::Role::user, std::string_view("user")}};

}  // namespace provisioner::base
