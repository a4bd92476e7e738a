#include "provisioner/operations/sign_in/password_rules.hpp"

#include <algorithm>

#include "provisioner/base/utf8.hpp"
#include "provisioner/identity/common_passwords/common_passwords.hpp"

namespace provisioner::operations {

namespace {

/// What has to be left when the names are taken out.
constexpr std::size_t least_beside_names = 8;
/// Shorter names occur in other words.
constexpr std::size_t shortest_name = 3;
constexpr std::size_t most_decoration = 4;

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

std::string without_name(std::string text, const std::string& name) {
    if (name.size() < shortest_name) return text;
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) {
        text.erase(at, name.size());
    }
    return text;
}

bool is_letter_of_password(char c) {
    return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

/// The password without digits and signs at its ends.
std::string_view without_decoration(const std::string& text) {
    const auto first = std::find_if(text.begin(), text.end(), is_letter_of_password);
    const auto last = std::find_if(text.rbegin(), text.rend(), is_letter_of_password);
    if (first == text.end()) return text;
    const auto from = static_cast<std::size_t>(first - text.begin());
    const auto to = static_cast<std::size_t>(text.rend() - last);
    const bool is_little = text.size() - (to - from) <= most_decoration;
    return is_little ? std::string_view(text).substr(from, to - from) : std::string_view(text);
}

}  // namespace

std::vector<std::string> problems_with_password(const base::Secret& password, int least,
                                                const PasswordOwner& owner) {
    const std::string text = base::to_utf8(password.reveal());
    const auto length = static_cast<int>(base::utf8_length(text));
    if (length < least) {
        return {"It must have at least " + std::to_string(least) + " characters."};
    }
    if (length > longest_password) {
        return {"It must have at most " + std::to_string(longest_password) + " characters."};
    }
    const std::string plain = lower_case(text);
    if (identity::is_common_password(plain) ||
        identity::is_common_password(without_decoration(plain))) {
        return {"Many people use this password, so it is guessed first."};
    }
    std::string rest = plain;
    for (const std::string& name :
         {lower_case(owner.user), lower_case(owner.tenant), std::string("cooperage")}) {
        rest = without_name(rest, name);
    }
    if (rest.size() < plain.size() && base::utf8_length(rest) < least_beside_names) {
        return {"It is too close to a name that others know."};
    }
    return {};
}

}  // namespace provisioner::operations
