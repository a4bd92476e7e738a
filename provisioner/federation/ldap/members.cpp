#include "provisioner/federation/ldap/members.hpp"

#include "provisioner/federation/ldap/filters.hpp"

namespace provisioner::federation {

namespace {

constexpr std::size_t members_asked = 50;

/// Nothing if it cannot be told.
std::optional<bool> is_user(const LdapConnection& connection,
                            const model::IdentityProvider& provider, const std::string& member,
                            const Deadline& deadline) {
    const std::string everybody = filter_of_everybody(provider);
    if (groups_by_name(provider)) {
        const std::string named =
            "(&" + everybody + '(' + provider.name_attribute + '=' + filter_value(member) + "))";
        return connection.has_any(provider.user_base, named, deadline);
    }
    // Also a name with an identifier behind it (RFC 4517, 3.3.21), which no entry has.
    if (!model::is_distinguished_name(member) || member.ends_with("'B")) return std::nullopt;
    const auto fits = connection.has_entry(member, deadline, everybody);
    return fits == true ? model::is_below(member, provider.user_base) : fits;
}

}  // namespace

GroupMembers members_of(const LdapConnection& connection, const model::IdentityProvider& provider,
                        const std::string& group, const Deadline& deadline) {
    const auto members = connection.values(group, provider.group_attribute, deadline);
    // Active Directory gives many in parts, by another name.
    if (members.empty() || members.size() > members_asked) return {};
    GroupMembers found{.may_be_users = false, .count = members.size()};
    const std::string has_members = '(' + provider.group_attribute + "=*)";
    for (const std::string& member : members) {
        if (is_user(connection, provider, member, deadline).value_or(true)) return {};
        if (groups_by_name(provider)) continue;
        const auto is_group = connection.has_entry(member, deadline, has_members);
        // With nested groups its members count, too.
        if (!is_group || (*is_group && provider.nested_groups)) return {};
        if (*is_group) ++found.groups;
    }
    return found;
}

}  // namespace provisioner::federation
