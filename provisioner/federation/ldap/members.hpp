#pragma once

#include <string>

#include "provisioner/federation/ldap/connection.hpp"

namespace provisioner::federation {

/// Who is in a group, as far as it matters to a rule for it.
struct GroupMembers {
    /// Whether one of them is a user who could log in, or that cannot be told for certain.
    bool may_be_users = true;
    /// Otherwise: how many of them there are, and how many of these are groups.
    std::size_t count = 0;
    std::size_t groups = 0;
};

/// Looks at the members of a group (distinguished name) if there are at most 50; of more it cannot
/// be told.
GroupMembers members_of(const LdapConnection& connection, const model::IdentityProvider& provider,
                        const std::string& group, const Deadline& deadline);

}  // namespace provisioner::federation
