#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace provisioner::model {

using IdentityProviderId = base::Id<struct IdentityProviderTag>;

/// How an identity provider is asked.
enum class IdentityKind {
    /// OpenID Connect: the browser is sent there and comes back with a code.
    oidc,
    /// A directory: name and password are typed here and tried there.
    ldap
};

/// What a group of an identity provider means here.
struct MembershipRule {
    /// A value of the groups claim, or the distinguished name of a group; "*": everybody.
    std::string value{};
    /// The tenant: its uid as stored, its name where people read and write it.
    std::string tenant{};
    Role role = Role::user;
    /// Names of the tenant's groups that the user is put in.
    std::vector<std::string> groups{};

    bool operator==(const MembershipRule&) const = default;
};

/// What a test of a provider found.
struct IdentityTest {
    base::Timestamp at{};
    /// What keeps people from logging in with it; empty: it works.
    std::vector<std::string> problems{};
    /// What probably keeps everybody out although the provider answers as it should: of a setting
    /// by its name, of a rule (note_of_rule), or of all rules ("rules").
    base::Problems warnings{};
    /// What else is worth knowing of settings and rules, named like that.
    base::Problems notes{};
    /// Whether the provider is off and is to be switched on by a test that passes.
    bool is_to_switch_on = false;

    bool operator==(const IdentityTest&) const = default;
};

/// Somebody else who says who people are: a row of table identity_provider.
struct IdentityProvider {
    IdentityProviderId id{};
    std::string name{};
    IdentityKind kind = IdentityKind::oidc;
    bool enabled = true;
    /// Whether it may ask for a second factor in our place. It has to say so each time: its tokens
    /// are looked at. Directories see passwords only.
    bool has_second_factor = false;
    /// The first that fits counts.
    std::vector<MembershipRule> rules{};
    /// Client secret or password of the service account; open only where it is used.
    base::Secret secret{};
    /// When it was last saved; nothing that anybody sets.
    base::Timestamp changed_at{};
    /// The last test of these settings; nothing if they were not tested since they were saved.
    std::optional<IdentityTest> last_test{};

    /// What people read on the login page.
    std::string label{};
    /// PEM of the only authorities that are trusted; empty: those of the system.
    std::string authorities{};

    // OpenID Connect.
    std::string issuer{};
    std::string client_id{};
    /// basic, post or none: how the secret is sent.
    std::string client_auth = "basic";
    /// Divided by blanks; openid is added.
    std::string scopes = "openid profile";
    std::string name_claim = "preferred_username";
    std::string groups_claim = "groups";
    /// Values of `acr` that mean two factors, divided by blanks.
    std::string acr_values{};
    /// own: browsers come back to an address that only this provider has. shared: to that of all,
    /// as before, for which the answer has to name the issuer (RFC 9207).
    std::string callback = "own";
    /// The type of its logout tokens: logout+jwt, or JWT, which takes those without a type, too.
    std::string logout_type = "logout+jwt";

    // LDAP.
    /// ldaps://host[:port] or ldap://host[:port] with StartTLS, divided by blanks; tried in order.
    std::string servers{};
    /// Of the service account; empty: anonymous.
    std::string bind_dn{};
    std::string user_base{};
    /// A filter that users have to fit, in parentheses; may be empty.
    std::string user_filter{};
    std::string name_attribute = "uid";
    /// What never changes of a user: entryUUID, objectGUID.
    std::string id_attribute = "entryUUID";
    /// Empty: rules have "*" only.
    std::string group_base{};
    /// The attribute of groups that names members: member, uniqueMember, memberUid.
    std::string group_attribute = "member";
    /// Whether groups in groups count (Active Directory).
    bool nested_groups = false;

    /// The words that follow blanks in `text`.
    static std::vector<std::string> words_of(const std::string& text);
};

/// One of the values of a setting that has few.
struct IdentityChoice {
    const char* value;
    const char* label;
};

/// A text setting of a provider: its name in JSON and in forms, and who has it. Pages, JSON and the
/// check go by these rows.
struct IdentityField {
    const char* name;
    std::string IdentityProvider::*text;
    /// Nothing: both kinds.
    std::optional<IdentityKind> kind;
    bool is_required;
    const char* label;
    const char* hint;
    int lines = 1;
    /// The values that it may have, and what each means; none: any text.
    std::span<const IdentityChoice> choices = {};
};

/// Every text setting, in the order of the form.
std::span<const IdentityField> identity_fields();

/// The most characters of a setting of several lines and of a rule's value, the most bytes of a
/// secret, which is longer when it is sealed, the most rules, and the most groups of a rule.
constexpr std::size_t longest_identity_text = 65'536;
constexpr std::size_t longest_rule_value = 1024;
constexpr std::size_t longest_identity_secret = 2048;
constexpr std::size_t most_membership_rules = 500;
constexpr std::size_t most_rule_groups = 50;
/// The most servers of a directory.
constexpr std::size_t most_identity_servers = 10;

/// The document of a provider without its name and secret. Rules are written as they are.
base::Json to_json(const IdentityProvider& provider);

/// Reads such a document; absent members have their defaults. Every problem is named.
base::Checked<IdentityProvider> identity_provider_from(const base::Json& json);

/// What is wrong with the settings that no server has to be asked for. Plain addresses are allowed
/// on loopback only, with `plain_loopback`.
base::Problems problems_with(const IdentityProvider& provider, bool plain_loopback);

/// Whether an address is of a server with TLS, or on loopback and plain where that is allowed.
/// `scheme` is "http" or "ldap". With StartTLS "ldap" has TLS, too.
bool is_secure_address(std::string_view address, std::string_view scheme, bool plain_loopback);

/// Whether a text is written as a distinguished name: "cn=a,dc=b", each part with an attribute.
bool is_distinguished_name(std::string_view text);

/// The group of a rule as it is compared: two texts with the same result are one group.
std::string comparable_group(IdentityKind kind, const std::string& group);

/// What notes of a test about the rules for a group belong to.
inline std::string note_of_rule(const std::string& group) {
    return "rule:" + group;
}

/// Whether a distinguished name is that of an entry below another one, or the same.
bool is_below(const std::string& name, const std::string& base);

/// The first rule that fits somebody with these values; null when none does. With a `tenant` (uid)
/// only its rules count. In a directory the case of letters, blanks behind commas and the spelling
/// of escapes do not count.
const MembershipRule* first_fitting(const IdentityProvider& provider,
                                    const std::set<std::string>& values,
                                    const std::optional<std::string>& tenant = std::nullopt);

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of the kind.
template <>
inline constexpr std::array words<model::IdentityKind>{
    std::pair{model::IdentityKind::oidc, std::string_view("oidc")},
    std::pair{model::IdentityKind::ldap, std::string_view("ldap")}};

}  // namespace provisioner::base
