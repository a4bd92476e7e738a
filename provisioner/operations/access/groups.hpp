#pragma once

#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/access/group.hpp"
#include "provisioner/model/audit/event.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Groups of users, as administrators of their tenant manage them. Permissions name groups.

/// A group as an administrator wants it. Members that are named twice count once.
struct GroupSpec {
    std::string name{};
    std::string description{};
    std::vector<std::string> members{};
    /// Whether the members of a group that is there stay as they are: `members` is not read then.
    bool keeps_members = false;
};

/// Creates the group of that name or replaces its description and members. Refused as invalid for a
/// wrong name, a description that is too long, and members that are no users of the tenant: one
/// problem for each, all at once.
Result<void> save_group(store::Database& database, const model::Caller& caller,
                        const GroupSpec& wanted, base::Timestamp now);

/// The same for a group that must not be there yet: conflict when the name is taken.
Result<void> create_group(store::Database& database, const model::Caller& caller,
                          const GroupSpec& wanted, base::Timestamp now);

/// Makes users of the tenant members of a group, or ends that (`are_members` false): all of them or
/// none. Does nothing where it is so already. Refused with not_found without the group, and as
/// invalid ("members") for names that are no users of the tenant, one problem for each.
Result<void> set_members(store::Database& database, const model::Caller& caller,
                         const std::string& group, const std::vector<std::string>& users,
                         bool are_members);

/// Deletes a group with what it was granted, and takes it out of the rules of identity providers:
/// a later group of the same name is another. Entries that were for this group only stay
/// restricted: to administrators, from then on. Refused with not_found when there is none.
Result<void> delete_group(store::Database& database, const model::Caller& caller,
                          const std::string& name);

/// Makes `user` a member of exactly these groups of the user's tenant, and returns the names that
/// are no group there. For sign-ins of federated users: `actor` is whoever the audit log names.
/// Call it in the transaction that creates or changes the user, as the last thing but audit():
/// "user.change-groups" is recorded when something changed. Locks the tenant.
std::vector<std::string> set_memberships(store::Connection& connection,
                                         const model::audit::Actor& actor, const model::User& user,
                                         const std::vector<std::string>& groups);

}  // namespace provisioner::operations
