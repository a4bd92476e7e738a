#include "provisioner/model/names.hpp"

#include <algorithm>
#include <unordered_set>

namespace provisioner::model {

namespace {

constexpr std::size_t longest_suffix = 191;
constexpr std::size_t longest_label = 63;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter_or_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_name_character(char c) {
    return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-';
}

bool is_label(std::string_view label) {
    const bool plain = std::all_of(label.begin(), label.end(),
                                   [](char c) { return is_letter_or_digit(c) || c == '-'; });
    return plain && !label.empty() && label.size() <= longest_label && label.back() != '-';
}

/// Drops what precedes the first letter, since a label must not begin with a hyphen. Empty when the
/// name has no letter.
std::string_view from_first_letter(std::string_view name) {
    const auto first = std::find_if(name.begin(), name.end(),
                                    [](char c) { return is_letter_or_digit(c) && !is_digit(c); });
    return name.substr(static_cast<std::size_t>(first - name.begin()));
}

std::string as_label(std::string_view name) {
    std::string label;
    for (const char c : from_first_letter(name)) {
        if (c == '_' || c == '.') {
            label += '-';
        } else {
            label += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return label;
}

}  // namespace

std::vector<std::string> without_repetition(const std::vector<std::string>& names) {
    std::vector<std::string> distinct;
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : names) {
        if (seen.insert(name).second) distinct.push_back(name);
    }
    return distinct;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<std::string> problem_with_name(std::string_view name) {
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) {
        return "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].";
    }
    if (name.size() > longest_valid_name) return "name must not exceed 255 characters.";
    return std::nullopt;
}

std::optional<std::string> problem_with_new_name(std::string_view name) {
    if (auto problem = problem_with_name(name)) return problem;
    if (name.front() == '-' || name.front() == '.') {
        return "invalid name. Name must not begin with a hyphen or a dot.";
    }
    return std::nullopt;
}

bool is_dns_suffix(std::string_view suffix) {
    if (suffix.size() > longest_suffix) return false;
    while (true) {
        const auto dot = suffix.find('.');
        if (!is_label(suffix.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        suffix.remove_prefix(dot + 1);
    }
}

bool is_default_dns_suffix(std::string_view suffix) {
    if (suffix.empty()) return true;
    if (suffix.starts_with('.')) suffix.remove_prefix(1);
    return is_dns_suffix(suffix);
}

std::string hostname(std::string_view cluster_name, std::int64_t cluster, int nodenum,
                     std::string_view dns_suffix) {
    const std::string numbers = std::to_string(cluster) + "-" + std::to_string(nodenum);
    std::string host = as_label(cluster_name).substr(0, longest_label - numbers.size()) + numbers;
    if (dns_suffix.starts_with('.')) dns_suffix.remove_prefix(1);
    return host + "." + std::string(dns_suffix.empty() ? "local" : dns_suffix);
}

}  // namespace provisioner::model
