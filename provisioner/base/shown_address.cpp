#include "provisioner/base/shown_address.hpp"

namespace provisioner::base {

std::string without_credentials(const std::string& value) {
    constexpr std::string_view separator = "://";
    const auto scheme = value.find(separator);
    const bool has_scheme = scheme != std::string::npos;
    const auto begin = has_scheme ? scheme + separator.size() : 0;
    const auto end = value.find_first_of("/?# \t", begin);
    // The last one: programs take what is before it for the user, other "@" in it included.
    const auto at = value.substr(0, end).rfind('@');
    const bool has_user = at != std::string::npos && at >= begin;
    const bool has_password = has_user && value.substr(begin, at - begin).find(':') < at;
    std::string shown = value;
    const auto query = value.find('?', begin);
    if (has_scheme && query != std::string::npos) shown.replace(query, std::string::npos, "?***");
    if (has_user && (has_scheme || has_password)) shown.replace(begin, at - begin, "***");
    return shown;
}

}  // namespace provisioner::base
