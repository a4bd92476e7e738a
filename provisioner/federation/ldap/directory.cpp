#include "provisioner/federation/ldap/directory.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/federation/ldap/accounts.hpp"
#include "provisioner/federation/ldap/connection.hpp"
#include "provisioner/federation/ldap/filters.hpp"
#include "provisioner/federation/ldap/members.hpp"
#include "provisioner/model/tenants/distinguished_name.hpp"

namespace provisioner::federation {

using base::unexpected;
using model::IdentityProvider;
using Kind = Trouble::Kind;

namespace {

constexpr int most_groups = 1000;

bool is_disabled(LDAP* ldap, LDAPMessage* entry) {
    const auto now = base::SystemClock().now();
    for (const char* name : attributes_of_locks) {
        for (const std::string& value : values_of(ldap, entry, name)) {
            if (keeps_out(name, value, now)) return true;
        }
    }
    return false;
}

}  // namespace

void initialise_ldap() {
    setenv("LDAPNOINIT", "1", 1);
    ldap_get_option(nullptr, LDAP_OPT_API_FEATURE_INFO, nullptr);
}

Directory::Directory(const IdentityProvider& provider, std::unique_ptr<LdapConnection> connection)
    : provider_(provider), connection_(std::move(connection)) {}
Directory::Directory(Directory&&) noexcept = default;
Directory& Directory::operator=(Directory&&) noexcept = default;
Directory::~Directory() = default;

base::expected<Directory, Trouble> Directory::connect(const IdentityProvider& provider,
                                                      const Deadline& deadline) {
    Trouble last{Kind::wrong, "no server is named"};
    for (const std::string& server : IdentityProvider::words_of(provider.servers)) {
        if (deadline.is_over()) break;
        auto connection = std::make_unique<LdapConnection>();
        // The next server needs some of the time.
        const Deadline part(std::min(connect_limit, deadline.left()));
        if (auto trouble = connection->open(provider, server, part)) {
            last = *std::move(trouble);
            last.may_ask_next = true;
            continue;
        }
        const bool is_anonymous = provider.bind_dn.empty();
        if (!is_anonymous && provider.secret.empty()) {
            return unexpected(Trouble{Kind::wrong, "the service account has no password"});
        }
        const int code = connection->bind(provider.bind_dn, provider.secret, part);
        if (code == LDAP_SUCCESS) return Directory(provider, std::move(connection));
        // The first request is also the first that needs the server.
        last = trouble_of(connection->ldap, code,
                          is_away(code) ? server : server + ", service account");
        last.may_ask_next = last.kind == Kind::away;
        if (!last.may_ask_next) break;
    }
    return unexpected(std::move(last));
}

base::expected<std::optional<DirectoryUser>, Trouble> Directory::find_by_name(
    const std::string& name, const Deadline& deadline) {
    return find(filter_of_name(provider_, name), deadline);
}

base::expected<std::optional<DirectoryUser>, Trouble> Directory::find_by_subject(
    const std::string& subject, const Deadline& deadline) {
    return find(filter_of_subject(provider_, subject), deadline);
}

base::expected<std::optional<DirectoryUser>, Trouble> Directory::find(const std::string& filter,
                                                                      const Deadline& deadline) {
    constexpr int one_and_another = 2;
    LDAP* ldap = connection_->ldap;
    std::vector<std::string> wanted{provider_.name_attribute, provider_.id_attribute};
    for (const char* name : attributes_of_locks) wanted.emplace_back(name);
    const auto result = connection_->search(provider_.user_base, filter, wanted, one_and_another,
                                            deadline, LDAP_SCOPE_SUBTREE);
    if (!result) return unexpected(result.error());
    const int count = ldap_count_entries(ldap, result->get());
    if (count == 0) return std::optional<DirectoryUser>();
    if (count > 1) {
        return unexpected(Trouble{Kind::wrong, "the directory has several such users"});
    }
    LDAPMessage* entry = ldap_first_entry(ldap, result->get());
    const auto names = values_of(ldap, entry, provider_.name_attribute);
    const auto ids = values_of(ldap, entry, provider_.id_attribute);
    if (names.empty() || ids.size() != 1) {
        return unexpected(Trouble{Kind::wrong, "the user has no " + provider_.id_attribute +
                                                   " or no " + provider_.name_attribute});
    }
    DirectoryUser user{.dn = dn_of(ldap, entry),
                       .subject = subject_of(ids.front()),
                       .name = names.front(),
                       .is_disabled = is_disabled(ldap, entry)};
    if (provider_.group_base.empty() || user.is_disabled) return std::optional(std::move(user));
    const auto groups =
        connection_->search(provider_.group_base, filter_of_groups(provider_, user.dn, user.name),
                            {LDAP_NO_ATTRS}, most_groups, deadline, LDAP_SCOPE_SUBTREE);
    if (!groups) return unexpected(groups.error());
    for (LDAPMessage* group = ldap_first_entry(ldap, groups->get()); group != nullptr;
         group = ldap_next_entry(ldap, group)) {
        user.groups.insert(dn_of(ldap, group));
    }
    return std::optional(std::move(user));
}

base::expected<bool, Trouble> Directory::is_password(const DirectoryUser& user,
                                                     const base::Secret& password,
                                                     const Deadline& deadline) const {
    if (password.empty() || user.dn.empty()) return false;
    LdapConnection own;
    if (auto trouble = own.open(provider_, connection_->server, deadline)) {
        return unexpected(*std::move(trouble));
    }
    const int code = own.bind(user.dn, password, deadline);
    if (code == LDAP_SUCCESS) return true;
    if (is_away(code)) return unexpected(trouble_of(own.ldap, code, own.server));
    return false;
}

base::expected<void, Trouble> Directory::try_nobody(const base::Secret& password,
                                                    const Deadline& deadline) const {
    constexpr int random_bytes = 16;
    const DirectoryUser nobody{.dn = provider_.name_attribute + '=' +
                                     base::random_hex(random_bytes) + ',' + provider_.user_base};
    if (!provider_.group_base.empty()) {
        const auto groups = connection_->search(
            provider_.group_base, filter_of_groups(provider_, nobody.dn, nobody.dn),
            {LDAP_NO_ATTRS}, most_groups, deadline, LDAP_SCOPE_SUBTREE);
        if (!groups) return unexpected(groups.error());
    }
    const auto tried = is_password(nobody, password, deadline);
    if (!tried) return unexpected(tried.error());
    return {};
}

CertificateProblem Directory::why_not_trusted(const IdentityProvider& provider,
                                              const Deadline& deadline) {
    const auto servers = IdentityProvider::words_of(provider.servers);
    if (servers.empty()) return {};
    return certificate_problem(provider, servers.front(), deadline);
}

std::string Directory::hint_about_tls(const IdentityProvider& provider, const Deadline& deadline) {
    const auto servers = IdentityProvider::words_of(provider.servers);
    return servers.empty() ? "" : federation::hint_about_tls(provider, servers.front(), deadline);
}

std::optional<base::Problem> Directory::warning_about_people(const Deadline& deadline) {
    const std::string everybody = filter_of_all(provider_);
    const auto below = [&](const std::string& filter) {
        return connection_->has_any(provider_.user_base, filter, deadline);
    };
    const auto found = below(filter_of_everybody(provider_));
    if (found.value_or(true)) return std::nullopt;
    const auto fits = below(everybody);
    if (!fits) return std::nullopt;
    const std::string where = connection_->server + ": below " + provider_.user_base + " nobody ";
    if (!*fits) {
        return base::Problem{provider_.user_filter.empty() ? "userBase" : "userFilter",
                             where + "fits the filter " + everybody + '.'};
    }
    const bool has_names =
        below("(&" + everybody + '(' + provider_.name_attribute + "=*))").value_or(true);
    return base::Problem{has_names ? "idAttribute" : "nameAttribute",
                         where + "who fits the filter " + everybody + " has both " +
                             provider_.name_attribute + " and " + provider_.id_attribute + '.'};
}

base::Problems Directory::notes_about_groups(const std::vector<std::string>& wanted,
                                             const Deadline& deadline) {
    const std::string& attribute = provider_.group_attribute;
    const std::string& base = provider_.group_base;
    if (base.empty()) {
        if (wanted.empty()) return {};
        return {{"groupBase", "Without it nobody has a group, and only rules for * fit."}};
    }
    base::Problems notes;
    const auto occurs = connection_->has_any(base, '(' + attribute + "=*)", deadline);
    const auto without =
        occurs == true ? people_without_groups(provider_, deadline) : People::unknown;
    if (occurs == false) {
        notes.push_back({"groupAttribute", connection_->server + ": no entry below " + base +
                                               " has " + attribute + ": nobody has a group."});
    } else if (auto note = note_about_people(without, deadline)) {
        notes.push_back(*std::move(note));
    }
    // Otherwise the reason is another, and said already.
    const bool is_said = without == People::all || without == People::nobody ||
                         (!notes.empty() && notes.front().field == "nestedGroups.unknown");
    std::ranges::move(notes_about_rules(wanted, occurs == true && !is_said, deadline),
                      std::back_inserter(notes));
    return notes;
}

std::optional<base::Problem> Directory::note_about_people(People without,
                                                          const Deadline& deadline) {
    if (without != People::all && without != People::first) return std::nullopt;
    if (lacks_nested_groups(deadline)) {
        return base::Problem{"nestedGroups.unknown",
                             "This directory does not count nested groups: with this setting "
                             "nobody has a group. Choose “Ignored”, and rules for groups that "
                             "users are in themselves."};
    }
    const std::string& server = connection_->server;
    const std::string way =
        " is in a group below " + provider_.group_base + " by " + provider_.group_attribute + ".";
    if (without == People::all) {
        return base::Problem{"groupAttribute", server + ": not one user" + way};
    }
    return base::Problem{"groupAttribute.first", server + ": of the first users not one" + way};
}

bool Directory::lacks_nested_groups(const Deadline& deadline) {
    if (!provider_.nested_groups || groups_by_name(provider_)) return false;
    IdentityProvider plain = provider_;
    plain.nested_groups = false;
    return people_without_groups(plain, deadline) == People::some;
}

base::Problems Directory::notes_about_rules(const std::vector<std::string>& wanted,
                                            bool asks_for_members, const Deadline& deadline) const {
    base::Problems notes;
    bool has_nested = false;
    for (const std::string& group : wanted) {
        if (deadline.is_over()) break;
        GroupMembers members;
        std::string why = why_not_there(group, deadline);
        if (why.empty() && asks_for_members) {
            why = why_without_users(group, members, deadline);
        }
        if (!why.empty()) notes.push_back({model::note_of_rule(group), std::move(why)});
        has_nested = has_nested || members.groups > 0;
    }
    if (has_nested) {
        notes.push_back({"nestedGroups",
                         "Groups of rules have members that are groups: the users in these are in "
                         "no group of a rule."});
    }
    return notes;
}

std::string Directory::why_not_there(const std::string& group, const Deadline& deadline) const {
    if (!model::is_below(group, provider_.group_base)) {
        return "Groups are looked for below " + provider_.group_base +
               " only: this one fits nobody.";
    }
    const auto name = connection_->name_of(group, deadline);
    if (!name) return "";
    if (name->empty()) {
        return "The directory has no " + group +
               ", or the service account cannot see it: it fits nobody.";
    }
    if (model::comparable_name(*name) == model::comparable_name(group)) return "";
    // The groups of a person are compared as the directory names them.
    return "The directory calls this group " + *name + ": with another name it fits nobody.";
}

std::string Directory::why_without_users(const std::string& group, GroupMembers& members,
                                         const Deadline& deadline) const {
    const std::string& attribute = provider_.group_attribute;
    if (connection_->has_entry(group, deadline, '(' + attribute + "=*)") == false) {
        return "This group has no " + attribute + ": it fits nobody.";
    }
    members = members_of(*connection_, provider_, group, deadline);
    if (members.may_be_users) return "";
    return members.groups == members.count
               ? "Its only members are groups, and nested groups are ignored: it fits nobody."
               : "It has no members that are users: it fits nobody.";
}

Directory::People Directory::people_without_groups(const IdentityProvider& provider,
                                                   const Deadline& deadline) {
    constexpr int people_asked = 20;
    LDAP* ldap = connection_->ldap;
    const Result people = connection_->first(provider_.user_base, filter_of_everybody(provider_),
                                             {provider_.name_attribute}, people_asked, deadline);
    if (!people) return People::unknown;
    bool is_anybody = false;
    // With fewer the directory has no others.
    const bool is_all = ldap_count_entries(ldap, people.get()) < people_asked;
    for (LDAPMessage* entry = ldap_first_entry(ldap, people.get()); entry != nullptr;
         entry = ldap_next_entry(ldap, entry)) {
        const auto names = values_of(ldap, entry, provider_.name_attribute);
        if (names.empty()) continue;
        is_anybody = true;
        const std::string groups = filter_of_groups(provider, dn_of(ldap, entry), names.front());
        const auto has_group = connection_->has_any(provider_.group_base, groups, deadline);
        if (!has_group) return People::unknown;
        if (*has_group) return People::some;
    }
    if (!is_anybody) return People::nobody;
    return is_all ? People::all : People::first;
}

base::expected<void, Trouble> Directory::try_searches(const Deadline& deadline) {
    for (const std::string& base : {provider_.user_base, provider_.group_base}) {
        if (base.empty()) continue;
        const auto found = connection_->search(base, "(objectClass=*)", {LDAP_NO_ATTRS}, 1,
                                               deadline, LDAP_SCOPE_BASE);
        if (!found) return unexpected(found.error());
    }
    const auto tried = find_by_name("a name that nobody has", deadline);
    if (!tried) return unexpected(tried.error());
    return {};
}

}  // namespace provisioner::federation
