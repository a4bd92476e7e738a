#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "provisioner/base/expected.hpp"
#include "provisioner/federation/certificates.hpp"
#include "provisioner/federation/trouble.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace provisioner::federation {

struct LdapConnection;
struct GroupMembers;

/// A user of a directory.
struct DirectoryUser {
    std::string dn{};
    /// What never changes, as text (filters.hpp).
    std::string subject{};
    std::string name{};
    /// Locked there, or expired (accounts.hpp).
    bool is_disabled = false;
    /// Distinguished names of the user's groups.
    std::set<std::string> groups{};
};

/// Makes libldap heed no files and variables of the machine. Called before threads start.
void initialise_ldap();

/// A connection to the first server of a provider that answers, bound as the service account. TLS
/// with a checked certificate and name, always; referrals are not followed. One thread at a time.
class Directory {
 public:
    static base::expected<Directory, Trouble> connect(const model::IdentityProvider& provider,
                                                      const Deadline& deadline);
    Directory(Directory&&) noexcept;
    Directory& operator=(Directory&&) noexcept;
    ~Directory();

    /// The user with that name or subject, with groups; nothing if there is none.
    base::expected<std::optional<DirectoryUser>, Trouble> find_by_name(const std::string& name,
                                                                       const Deadline& deadline);
    base::expected<std::optional<DirectoryUser>, Trouble> find_by_subject(
        const std::string& subject, const Deadline& deadline);

    /// Whether the user can bind with the password, over a connection of its own to the same
    /// server. An empty password never can: servers take it for an anonymous bind (RFC
    /// 4513, 5.1.2).
    base::expected<bool, Trouble> is_password(const DirectoryUser& user,
                                              const base::Secret& password,
                                              const Deadline& deadline) const;

    /// Does what is_password() does of somebody whom the directory does not have. It never
    /// succeeds.
    base::expected<void, Trouble> try_nobody(const base::Secret& password,
                                             const Deadline& deadline) const;

    /// Whether the places of users and groups can be searched.
    base::expected<void, Trouble> try_searches(const Deadline& deadline);

    /// Why the certificate of the provider's first server is not accepted, after connect() has said
    /// so; no words if that cannot be told.
    static CertificateProblem why_not_trusted(const model::IdentityProvider& provider,
                                              const Deadline& deadline);

    /// What is said of the provider's first server where it has TLS and its address does not, or
    /// the other way round, after connect() has failed; empty if neither, or if that cannot be
    /// told.
    static std::string hint_about_tls(const model::IdentityProvider& provider,
                                      const Deadline& deadline);

    /// What is said where nobody below the place of users fits the filter, or nobody who does has
    /// the attributes of names and identifiers, by the setting that it belongs to; nothing if
    /// somebody has, or if it cannot be told.
    std::optional<base::Problem> warning_about_people(const Deadline& deadline);

    /// What keeps people out of their groups, by the setting that it belongs to, and which of the
    /// `wanted` groups (distinguished names) have no members who are users or are not there
    /// (model::note_of_rule). "groupAttribute.first" is a note about the first users only,
    /// "nestedGroups" one about groups in groups without users, and "nestedGroups.unknown" says
    /// that the directory does not count these, so that nobody has a group. Nothing is said of what
    /// cannot be told in time.
    base::Problems notes_about_groups(const std::vector<std::string>& wanted,
                                      const Deadline& deadline);

 private:
    Directory(const model::IdentityProvider& provider, std::unique_ptr<LdapConnection> connection);

    base::expected<std::optional<DirectoryUser>, Trouble> find(const std::string& filter,
                                                               const Deadline& deadline);

    /// Who has no group: all users, the first of many, or at most some; `unknown` if that cannot be
    /// told, `nobody` where no user was found.
    enum class People { all, first, some, unknown, nobody };
    /// With the settings of `provider`, which is this one but for nested groups.
    People people_without_groups(const model::IdentityProvider& provider, const Deadline& deadline);

    /// Whether it is certain that the directory does not follow groups in groups: users whom the
    /// rule of Active Directory finds in no group are in groups themselves. Asked where no user has
    /// a group.
    bool lacks_nested_groups(const Deadline& deadline);
    /// The note about users `without` a group; nothing if there is none.
    std::optional<base::Problem> note_about_people(People without, const Deadline& deadline);

    /// Of each of the groups, also of its members if they are asked for.
    base::Problems notes_about_rules(const std::vector<std::string>& wanted, bool asks_for_members,
                                     const Deadline& deadline) const;
    /// Why a group of a rule is not found; empty: it is, or that cannot be told.
    std::string why_not_there(const std::string& group, const Deadline& deadline) const;
    /// Why no user is in a group that is there; empty: one is, or that cannot be told.
    /// `members` is what was found out about them.
    std::string why_without_users(const std::string& group, GroupMembers& members,
                                  const Deadline& deadline) const;

    model::IdentityProvider provider_;
    std::unique_ptr<LdapConnection> connection_;
};

}  // namespace provisioner::federation
