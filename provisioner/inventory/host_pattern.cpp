#include "provisioner/inventory/host_pattern.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/inventory/inventory.hpp"

namespace provisioner::inventory {

namespace {

using Names = std::vector<std::string>;
using Range = base::expected<Names, std::string>;

constexpr int longest_number = 9;
/// Longer than any name of a machine may be, with its ranges.
constexpr std::size_t longest_pattern = 1'000;
constexpr std::size_t most_ranges = 16;

std::vector<std::string> parts_of(std::string_view text, char separator) {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

bool is_letter(const std::string& text) {
    return text.size() == 1 &&
           ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

Range letters(char first, char last, std::int64_t step) {
    Names names;
    for (int c = first; c <= last; c += static_cast<int>(step)) {
        names.emplace_back(1, static_cast<char>(c));
    }
    return names;
}

Range numbers(const std::string& first, const std::string& last, std::int64_t step) {
    const auto begin = base::parse_number(first);
    const auto end = base::parse_number(last);
    const std::size_t longest = std::max(first.size(), last.size());
    if (!begin || !end || longest > longest_number) {
        return base::unexpected<std::string>("a range goes from a number or letter to another");
    }
    const bool is_padded = first.size() > 1 && first.front() == '0';
    if (is_padded && first.size() != last.size()) {
        return base::unexpected<std::string>("both ends of a range with zeros have equal lengths");
    }
    Names names;
    for (std::int64_t i = *begin; i <= *end && names.size() <= most_machines; i += step) {
        names.push_back(is_padded ? base::padded(i, static_cast<int>(first.size()))
                                  : std::to_string(i));
    }
    return names;
}

/// What stands between the brackets: "01:20" or "a:f:2".
Range range_of(std::string_view text) {
    const auto parts = parts_of(text, ':');
    if (parts.size() < 2 || parts.size() > 3) {
        return base::unexpected<std::string>("a range has the form [first:last]");
    }
    const auto step = base::parse_number(parts.size() == 3 ? parts[2] : "1");
    if (!step || *step < 1 || *step > static_cast<std::int64_t>(most_machines)) {
        return base::unexpected<std::string>("the step of a range is a number from 1");
    }
    const std::string first = parts[0].empty() ? "0" : parts[0];
    auto names = is_letter(first) && is_letter(parts[1]) ? letters(first[0], parts[1][0], *step)
                                                         : numbers(first, parts[1], *step);
    if (names && names->empty()) {
        return base::unexpected<std::string>("a range ends before it begins");
    }
    return names;
}

/// Takes ":22" off the end, where it does not belong to an IPv6 address.
std::string take_port(std::string_view& pattern) {
    const auto colon = pattern.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == pattern.size()) return "";
    const auto port = pattern.substr(colon + 1);
    const bool is_number = port.find_first_not_of("0123456789") == std::string_view::npos;
    const auto before = pattern.substr(0, colon);
    // Colons inside of ranges do not count; another one makes it an address of IPv6.
    const auto other = before.rfind(':');
    const bool is_alone =
        before.ends_with(']') || other == std::string_view::npos ||
        (before.rfind(']') != std::string_view::npos && other < before.rfind(']'));
    const bool in_range =
        before.rfind('[') != std::string_view::npos &&
        (before.rfind(']') == std::string_view::npos || before.rfind('[') > before.rfind(']'));
    if (!is_number || !is_alone || in_range) return "";
    std::string taken(port);
    pattern = before;
    return taken;
}

bool is_bracketed_address(std::string_view text) {
    return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
           text.find("::") != std::string_view::npos;
}

/// Texts and ranges in turn, so that nothing is written out before all of it is known to be right.
base::expected<std::vector<Names>, std::string> parts_of_pattern(std::string_view pattern) {
    std::vector<Names> parts;
    std::size_t count = 1;
    std::size_t ranges = 0;
    while (!pattern.empty()) {
        const auto open = pattern.find('[');
        parts.push_back({std::string(pattern.substr(0, open))});
        if (open == std::string_view::npos) break;
        const auto close = pattern.find(']', open);
        if (close == std::string_view::npos) {
            return base::unexpected<std::string>("a range is not closed by ]");
        }
        if (++ranges > most_ranges) {
            return base::unexpected("has more than " + std::to_string(most_ranges) + " ranges");
        }
        auto range = range_of(pattern.substr(open + 1, close - open - 1));
        if (!range) return base::unexpected(range.error());
        count *= range->size();
        if (count > most_machines) {
            return base::unexpected("names more than " + std::to_string(most_machines) + " hosts");
        }
        parts.push_back(*std::move(range));
        pattern.remove_prefix(close + 1);
    }
    return parts;
}

Names names_of(const std::vector<Names>& parts) {
    Names names{""};
    for (const Names& part : parts) {
        Names longer;
        for (const std::string& name : names) {
            for (const std::string& word : part) longer.push_back(name + word);
        }
        names = std::move(longer);
    }
    return names;
}

}  // namespace

base::expected<NamedHosts, std::string> hosts_of_pattern(std::string_view pattern) {
    if (pattern.size() > longest_pattern) {
        return base::unexpected("a host has more than " + std::to_string(longest_pattern) +
                                " bytes");
    }
    NamedHosts hosts;
    hosts.port = take_port(pattern);
    if (is_bracketed_address(pattern)) {
        hosts.names = {std::string(pattern.substr(1, pattern.size() - 2))};
        return hosts;
    }
    const auto parts = parts_of_pattern(pattern);
    if (!parts) return base::unexpected(parts.error());
    hosts.names = names_of(*parts);
    return hosts;
}

}  // namespace provisioner::inventory
