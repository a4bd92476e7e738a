#include "provisioner/federation/ldap/filters.hpp"

#include <algorithm>

#include "provisioner/federation/base64url.hpp"

namespace provisioner::federation {

namespace {

constexpr std::string_view digits = "0123456789abcdef";
/// The rule of Active Directory that follows groups in groups (LDAP_MATCHING_RULE_IN_CHAIN).
constexpr auto in_chain = ":1.2.840.113556.1.4.1941:";

bool is_visible(unsigned char c) {
    return c > ' ' && c < 0x7f;
}

std::string with_user_filter(const model::IdentityProvider& provider, const std::string& one) {
    return "(&" + provider.user_filter + '(' + one + "))";
}

}  // namespace

std::string filter_value(std::string_view value) {
    std::string text;
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        const bool means_something = c == '*' || c == '(' || c == ')' || c == '\\';
        if (means_something || byte < ' ' || byte >= 0x7f) {
            text += {'\\', digits[byte >> 4U], digits[byte & 15U]};
        } else {
            text += c;
        }
    }
    return text;
}

std::string filter_of_all(const model::IdentityProvider& provider) {
    return provider.user_filter.empty() ? "(objectClass=*)" : provider.user_filter;
}

std::string filter_of_everybody(const model::IdentityProvider& provider) {
    return "(&" + filter_of_all(provider) + '(' + provider.name_attribute + "=*)(" +
           provider.id_attribute + "=*))";
}

std::string filter_of_name(const model::IdentityProvider& provider, const std::string& name) {
    return with_user_filter(provider, provider.name_attribute + '=' + filter_value(name));
}

std::string filter_of_subject(const model::IdentityProvider& provider, const std::string& subject) {
    return with_user_filter(provider,
                            provider.id_attribute + '=' + filter_value(identifier_of(subject)));
}

bool groups_by_name(const model::IdentityProvider& provider) {
    return base::in_small_letters(provider.group_attribute) == "memberuid";
}

std::string filter_of_groups(const model::IdentityProvider& provider, const std::string& dn,
                             const std::string& name) {
    const bool by_name = groups_by_name(provider);
    const std::string rule = provider.nested_groups && !by_name ? in_chain : "";
    return '(' + provider.group_attribute + rule + '=' + filter_value(by_name ? name : dn) + ')';
}

std::string subject_of(std::string_view identifier) {
    const bool is_text = std::all_of(identifier.begin(), identifier.end(), is_visible) &&
                         !identifier.starts_with('x');
    if (is_text) return std::string(identifier);
    std::string text = "x";
    for (const char c : identifier) {
        const auto byte = static_cast<unsigned char>(c);
        text += {digits[byte >> 4U], digits[byte & 15U]};
    }
    return text;
}

std::string identifier_of(std::string_view subject) {
    if (!subject.starts_with('x')) return std::string(subject);
    return bytes_of_hex(subject.substr(1));
}

}  // namespace provisioner::federation
