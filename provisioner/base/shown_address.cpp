#include "provisioner/base/shown_address.hpp"

#include <algorithm>
#include <cctype>

namespace provisioner::base {

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

/// How long the scheme is with which a text begins, "://" included; 0 without one.
std::size_t size_of_scheme(std::string_view text) {
    constexpr std::string_view separator = "://";
    const auto end = text.find(separator);
    if (end == std::string_view::npos || end == 0) return 0;
    const bool is_scheme = std::ranges::all_of(text.substr(0, end), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '+' || c == '.' || c == '-';
    });
    return is_scheme ? end + separator.size() : 0;
}

/// The first word of a text: up to a blank, or to a comma with another address behind it. Other
/// commas may be part of a password.
std::string_view first_word(std::string_view text) {
    auto end = std::min(text.find_first_of(blanks), text.size());
    for (auto comma = text.find(','); comma < end; comma = text.find(',', comma + 1)) {
        if (size_of_scheme(text.substr(comma + 1, end - comma - 1)) > 0) end = comma;
    }
    return text.substr(0, end);
}

/// What may be shown of an address behind its scheme, if it has one.
std::string shown_rest(std::string_view rest, bool has_scheme) {
    const auto mark = std::min(rest.find_first_of("?#"), rest.size());
    const auto last_at = rest.rfind('@');
    const bool has_password = last_at != std::string_view::npos && rest.find(':') < last_at;
    // Either the password has a "?", or the query an "@": nothing tells which.
    if (has_password && mark < last_at) return "***";
    const auto host_end = std::min(rest.find('/'), mark);
    const auto at = has_password ? last_at : rest.substr(0, host_end).rfind('@');
    const bool has_user = has_password || (has_scheme && at != std::string_view::npos);
    if (!has_user && !has_scheme) return std::string(rest);
    std::string shown = has_user ? "***" : "";
    const auto begin = has_user ? at : 0;
    shown += rest.substr(begin, mark - begin);
    if (mark < rest.size()) shown.append(1, rest[mark]).append("***");
    return shown;
}

}  // namespace

std::string without_credentials(const std::string& value) {
    std::string shown;
    std::string_view left = value;
    while (!left.empty()) {
        const auto word = first_word(left);
        const auto scheme = size_of_scheme(word);
        shown += word.substr(0, scheme);
        shown += shown_rest(word.substr(scheme), scheme > 0);
        left.remove_prefix(word.size());
        // What separates it from the next word.
        if (left.empty()) break;
        shown += left.front();
        left.remove_prefix(1);
    }
    return shown;
}

}  // namespace provisioner::base
