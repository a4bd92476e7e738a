#include "provisioner/model/tenants/identity_provider.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "provisioner/base/utf8.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/model/tenants/distinguished_name.hpp"

namespace provisioner::model {

using base::Json;
using base::Problems;

namespace {

using P = IdentityProvider;
constexpr auto oidc = IdentityKind::oidc;
constexpr auto ldap = IdentityKind::ldap;
constexpr std::size_t longest_provider_name = 40;

constexpr std::array client_auths{
    IdentityChoice{"basic", "Secret in the Authorization header (client_secret_basic)"},
    IdentityChoice{"post", "Secret in the body (client_secret_post)"},
    IdentityChoice{"none", "No secret: a public client"}};

constexpr std::array callbacks{
    IdentityChoice{"own", "An address of its own"},
    IdentityChoice{"shared", "The shared one, for a provider whose answers name the issuer"}};

constexpr std::array logout_types{IdentityChoice{"logout+jwt", "logout+jwt"},
                                  IdentityChoice{"JWT", "JWT, for a provider that sends no other"}};

constexpr std::array fields{
    IdentityField{"label", &P::label, std::nullopt, true, "Label",
                  "What users read on the login page."},
    IdentityField{"issuer", &P::issuer, oidc, true, "Issuer",
                  "Its address, as in its discovery document, to the letter."},
    IdentityField{"clientId", &P::client_id, oidc, true, "Client ID", ""},
    IdentityField{"clientAuth", &P::client_auth, oidc, false, "Client authentication",
                  "How the client secret is sent.", 1, client_auths},
    IdentityField{"scopes", &P::scopes, oidc, false, "Scopes",
                  "Separated by spaces; openid is added."},
    IdentityField{"nameClaim", &P::name_claim, oidc, true, "Claim with the user name", ""},
    IdentityField{"groupsClaim", &P::groups_claim, oidc, false, "Claim with the groups",
                  "In the ID token, or in what the userinfo endpoint says."},
    IdentityField{"acrValues", &P::acr_values, oidc, false, "Values of acr for two factors",
                  "Separated by spaces. Two factors are also what amr says: mfa, or methods of two "
                  "kinds, such as pwd and otp."},
    IdentityField{"callback", &P::callback, oidc, false, "Redirect address", "", 1, callbacks},
    IdentityField{"logoutType", &P::logout_type, oidc, false, "Type of logout tokens", "", 1,
                  logout_types},
    IdentityField{"servers", &P::servers, ldap, true, "Servers",
                  "ldaps://host, or ldap://host, which gets StartTLS; separated by spaces, tried "
                  "in this order."},
    IdentityField{"bindDn", &P::bind_dn, ldap, false, "Service account",
                  "Its distinguished name; none: anonymous."},
    IdentityField{"userBase", &P::user_base, ldap, true, "Base DN of users",
                  "The distinguished name below which users are looked for."},
    IdentityField{"userFilter", &P::user_filter, ldap, false, "User filter",
                  "For example (objectClass=person)."},
    IdentityField{"nameAttribute", &P::name_attribute, ldap, true, "Attribute with the user name",
                  "uid; in Active Directory sAMAccountName."},
    IdentityField{"idAttribute", &P::id_attribute, ldap, true, "Attribute that never changes",
                  "entryUUID; in Active Directory objectGUID."},
    IdentityField{"groupBase", &P::group_base, ldap, false, "Base DN of groups",
                  "The distinguished name below which groups are looked for."},
    IdentityField{"groupAttribute", &P::group_attribute, ldap, false, "Attribute with members",
                  "member, uniqueMember or memberUid."},
    IdentityField{"authorities", &P::authorities, std::nullopt, false, "Authorities",
                  "Certificates (PEM) of the only authorities that are trusted; none: those of "
                  "this system.",
                  5}};

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    const auto last = text.find_last_not_of(" \t\r\n");
    return std::string(text.substr(first, last - first + 1));
}

bool is_attribute(const std::string& text) {
    return !text.empty() && text.size() <= 64 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
           });
}

/// The most characters of a setting.
std::size_t longest_of(const IdentityField& field) {
    constexpr std::size_t most_of_label = 255;
    constexpr std::size_t most_of_line = 1024;
    constexpr std::size_t most_of_servers = 4096;
    const std::string_view name = field.name;
    if (name == "label") return most_of_label;
    if (name == "servers") return most_of_servers;
    return field.lines > 1 ? longest_identity_text : most_of_line;
}

void check_rule(const MembershipRule& rule, const std::string& field, Problems& problems) {
    if (rule.value.empty()) {
        problems.push_back({field, "A rule needs a group, or * for everybody."});
    } else if (base::utf8_length(rule.value) > longest_rule_value) {
        problems.push_back({field, "The group of a rule has at most 1024 characters."});
    } else if (base::has_control(rule.value)) {
        problems.push_back({field, "The group of a rule must be one line."});
    }
    if (rule.tenant.empty()) problems.push_back({field, "A rule needs a tenant."});
    if (rule.groups.size() > most_rule_groups) {
        problems.push_back({field, "A rule has at most " + std::to_string(most_rule_groups) +
                                       " groups, not " + std::to_string(rule.groups.size()) + "."});
        return;
    }
    for (const std::string& group : rule.groups) {
        if (const auto wrong = problem_with_name(group)) problems.push_back({field, *wrong});
    }
}

std::optional<MembershipRule> rule_from(ObjectReader& reader) {
    MembershipRule rule{.value = reader.text("value").value_or(""),
                        .tenant = reader.text("tenant").value_or(""),
                        .groups = reader.names("groups")};
    const auto role = base::from_word<Role>(reader.text("role").value_or("user"));
    if (!role) {
        reader.problem("role", "There is no such role.");
        return std::nullopt;
    }
    rule.role = *role;
    return rule;
}

bool is_one_of(std::span<const IdentityChoice> choices, const std::string& text) {
    return std::ranges::any_of(choices,
                               [&](const IdentityChoice& one) { return text == one.value; });
}

/// "basic, post or none".
std::string listed_choices(std::span<const IdentityChoice> choices) {
    std::string list;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0) list += i + 1 == choices.size() ? " or " : ", ";
        list += choices[i].value;
    }
    return list;
}

/// A scope of RFC 6749, 3.3: what is visible in ASCII but quotation marks and backslashes.
bool is_scope(const std::string& word) {
    return std::ranges::all_of(
        word, [](unsigned char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; });
}

/// What is wrong with the scopes; empty for nothing. A comma would be allowed, but is meant to
/// separate them.
std::string problem_with_scopes(const std::string& scopes) {
    std::vector<std::string> seen;
    for (const std::string& word : P::words_of(scopes)) {
        const std::string small = base::in_small_letters(word);
        if (word.find(',') != std::string::npos) {
            return "Scopes are separated by spaces, not by commas.";
        }
        if (!is_scope(word)) {
            return "A scope has no quotation marks, backslashes or letters beyond ASCII.";
        }
        if (small == "openid" && word != small) return "openid is written in small letters.";
        if (std::ranges::count(seen, small) > 0) return "Each scope is named once.";
        seen.push_back(small);
    }
    return "";
}

bool has_user_name(const std::string& address) {
    const auto host = address.find("://");
    if (host == std::string::npos) return false;
    const auto end = address.find_first_of("/?#", host + 3);
    return address.substr(0, end).find('@') != std::string::npos;
}

constexpr std::string_view discovery_path = "/.well-known/openid-configuration";

void check_oidc(const P& provider, bool plain_loopback, Problems& problems) {
    if (has_user_name(provider.issuer)) {
        problems.push_back(
            {"issuer",
             "The address has no user name or password: leave out what is before the @."});
    } else if (!is_secure_address(provider.issuer, "http", plain_loopback)) {
        problems.push_back({"issuer", "The address has to begin with https://."});
    } else if (provider.issuer.find_first_of("?#") != std::string::npos) {
        problems.push_back({"issuer", "The address has neither a query nor a fragment."});
    } else if (provider.issuer.ends_with(discovery_path)) {
        problems.push_back({"issuer", "Leave out " + std::string(discovery_path) +
                                          ": it is added to the issuer."});
    }
}

void check_ldap(const P& provider, bool plain_loopback, Problems& problems) {
    if (provider.has_second_factor) {
        problems.push_back({"secondFactor", "A directory checks passwords only, so it is local."});
    }
    const auto servers = P::words_of(provider.servers);
    if (servers.size() > most_identity_servers) {
        problems.push_back({"servers", "There are at most 10 servers."});
    }
    if (without_repetition(servers).size() < servers.size()) {
        problems.push_back({"servers", "Each server is named once."});
    }
    for (const std::string& server : servers) {
        if (is_secure_address(server, "ldap", plain_loopback)) continue;
        problems.push_back(
            {"servers", server + " is no address such as ldaps://directory.example."});
    }
    for (const auto& [field, text] : {std::pair{"nameAttribute", provider.name_attribute},
                                      std::pair{"idAttribute", provider.id_attribute},
                                      std::pair{"groupAttribute", provider.group_attribute}}) {
        if (!is_attribute(text)) problems.push_back({field, "This is no name of an attribute."});
    }
    const std::string& filter = provider.user_filter;
    if (!filter.empty() && !(filter.starts_with('(') && filter.ends_with(')'))) {
        problems.push_back({"userFilter", "A filter is in parentheses."});
    }
}

}  // namespace

std::vector<std::string> IdentityProvider::words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> found;
    for (std::string word; in >> word;) found.push_back(word);
    return found;
}

std::span<const IdentityField> identity_fields() {
    return fields;
}

Json to_json(const IdentityProvider& provider) {
    Json json{{"kind", base::to_word(provider.kind)},
              {"enabled", provider.enabled},
              {"secondFactor", provider.has_second_factor ? "provider" : "local"}};
    for (const IdentityField& field : fields) {
        if (!field.kind || field.kind == provider.kind) json[field.name] = provider.*field.text;
    }
    if (provider.kind == ldap) json["nestedGroups"] = provider.nested_groups;
    json["rules"] = Json::array();
    for (const MembershipRule& rule : provider.rules) {
        json["rules"].push_back({{"value", rule.value},
                                 {"tenant", rule.tenant},
                                 {"role", base::to_word(rule.role)},
                                 {"groups", rule.groups}});
    }
    return json;
}

base::Checked<IdentityProvider> identity_provider_from(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    IdentityProvider provider;
    const auto kind = base::from_word<IdentityKind>(reader.text("kind").value_or(""));
    if (!kind) reader.problem("kind", "It is oidc or ldap.");
    provider.kind = kind.value_or(oidc);
    provider.enabled = reader.truth("enabled").value_or(true);
    const std::string factor = reader.text("secondFactor").value_or("local");
    if (factor != "local" && factor != "provider") {
        reader.problem("secondFactor", "It is local or provider.");
    }
    provider.has_second_factor = factor == "provider";
    for (const IdentityField& field : fields) {
        if (field.kind && field.kind != provider.kind) continue;
        if (auto text = reader.text(field.name)) provider.*field.text = trimmed(*text);
    }
    provider.nested_groups = reader.truth("nestedGroups").value_or(false);
    if (reader.has("rules")) {
        for (ObjectReader& rule : reader.objects("rules")) {
            if (auto one = rule_from(rule)) provider.rules.push_back(*std::move(one));
        }
    }
    return unless_problems(std::move(provider), std::move(problems));
}

Problems problems_with(const IdentityProvider& provider, bool plain_loopback) {
    Problems problems;
    if (const auto wrong = problem_with_new_name(provider.name)) {
        problems.push_back({"name", *wrong});
    } else if (provider.name.size() > longest_provider_name) {
        problems.push_back({"name", "A name has at most 40 characters."});
    }
    for (const IdentityField& field : fields) {
        if (field.kind && field.kind != provider.kind) continue;
        const std::string& text = provider.*field.text;
        if (field.is_required && text.empty()) {
            problems.push_back({field.name, std::string(field.label) + " is missing."});
        } else if (base::utf8_length(text) > longest_of(field)) {
            problems.push_back({field.name, "This is too long: it has at most " +
                                                std::to_string(longest_of(field)) +
                                                " characters."});
        } else if (field.lines == 1 && base::has_control(text)) {
            problems.push_back({field.name, "It must be one line."});
        } else if (field.text == &P::label && base::has_direction(text)) {
            problems.push_back(
                {field.name, "It must not have characters that change the direction of text."});
        } else if (!field.choices.empty() && !is_one_of(field.choices, text)) {
            problems.push_back({field.name, "It is " + listed_choices(field.choices) + "."});
        } else if (field.text == &P::scopes) {
            std::string wrong = problem_with_scopes(text);
            if (!wrong.empty()) problems.push_back({field.name, std::move(wrong)});
        }
    }
    if (provider.kind == oidc && !provider.issuer.empty()) {
        check_oidc(provider, plain_loopback, problems);
    }
    if (provider.kind == ldap) check_ldap(provider, plain_loopback, problems);
    if (provider.rules.size() > most_membership_rules) {
        problems.push_back({"rules", "There are at most 500 rules."});
        return problems;
    }
    for (std::size_t i = 0; i < provider.rules.size(); ++i) {
        check_rule(provider.rules[i], "rules." + std::to_string(i), problems);
    }
    return problems;
}

bool is_secure_address(std::string_view address, std::string_view scheme, bool plain_loopback) {
    const std::string plain = std::string(scheme) + "://";
    const std::string safe = std::string(scheme) + "s://";
    const bool is_safe = address.starts_with(safe);
    if (!is_safe && !address.starts_with(plain)) return false;
    const std::string_view rest = address.substr((is_safe ? safe : plain).size());
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    const bool odd = authority.empty() || authority.find('@') != std::string_view::npos ||
                     std::any_of(address.begin(), address.end(),
                                 [](unsigned char c) { return c <= ' ' || c >= 0x7f; });
    if (odd) return false;
    // A directory gets StartTLS.
    if (is_safe || scheme == "ldap") return true;
    const std::string_view host = authority.starts_with('[')
                                      ? authority.substr(0, authority.find(']') + 1)
                                      : authority.substr(0, authority.find(':'));
    return plain_loopback && (host == "127.0.0.1" || host == "localhost" || host == "[::1]");
}

bool is_distinguished_name(std::string_view text) {
    bool has_attribute = false;
    bool in_attribute = true;
    std::string_view::size_type begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_attribute && text[i] == '=') {
            if (trimmed(text.substr(begin, i - begin)).empty()) return false;
            has_attribute = true;
            in_attribute = false;
        } else if (text[i] == '\\') {
            ++i;
        } else if (text[i] == ',') {
            if (in_attribute) return false;
            in_attribute = true;
            begin = i + 1;
        }
    }
    return has_attribute && !in_attribute;
}

std::string comparable_group(IdentityKind kind, const std::string& group) {
    return kind == ldap ? comparable_name(group) : group;
}

bool is_below(const std::string& name, const std::string& base) {
    const std::string below = comparable_name(name);
    const std::string above = comparable_name(base);
    return below == above || below.ends_with(',' + above);
}

const MembershipRule* first_fitting(const IdentityProvider& provider,
                                    const std::set<std::string>& values,
                                    const std::optional<std::string>& tenant) {
    std::set<std::string> normal;
    for (const std::string& value : values) {
        normal.insert(comparable_group(provider.kind, value));
    }
    for (const MembershipRule& rule : provider.rules) {
        if (tenant && rule.tenant != *tenant) continue;
        if (rule.value == "*") return &rule;
        if (normal.contains(comparable_group(provider.kind, rule.value))) return &rule;
    }
    return nullptr;
}

}  // namespace provisioner::model
