#include "fcgi/pages/differences/long_lines.hpp"

#include <algorithm>
#include <string_view>

#include "provisioner/base/utf8.hpp"

namespace fcgi::pages {

namespace {

constexpr std::string_view ellipsis = "…";
/// What both have beside a change.
constexpr std::size_t most_bytes_around = 80;

bool is_inside_letter(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

std::size_t common_head(std::string_view before, std::string_view after) {
    const auto shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    while (head > 0 && (is_inside_letter(before, head) || is_inside_letter(after, head))) --head;
    return head;
}

/// What both have at the end, after that head.
std::size_t common_tail(std::string_view before, std::string_view after, std::size_t head) {
    const auto most = std::min(before.size(), after.size()) - head;
    std::size_t tail = 0;
    while (tail < most && before[before.size() - tail - 1] == after[after.size() - tail - 1]) {
        ++tail;
    }
    while (tail > 0 && is_inside_letter(before, before.size() - tail)) --tail;
    return tail;
}

/// The beginning of a text, and an ellipsis if there is more.
std::string beginning_of(std::string_view text, std::size_t most, std::size_t& left_out) {
    const auto part = provisioner::base::utf8_prefix(text, most);
    left_out += text.size() - part.size();
    return std::string(part) + std::string(part.size() < text.size() ? ellipsis : "");
}

std::string ending_of(std::string_view text, std::size_t most, std::size_t& left_out) {
    const auto part = provisioner::base::utf8_suffix(text, most);
    left_out += text.size() - part.size();
    return std::string(part.size() < text.size() ? ellipsis : "") + std::string(part);
}

ShownLine part_of_line(std::string_view line, std::size_t head, std::size_t tail) {
    ShownLine shown;
    shown.head = ending_of(line.substr(0, head), most_bytes_around, shown.left_out);
    shown.changed = beginning_of(line.substr(head, line.size() - head - tail), most_bytes_of_line,
                                 shown.left_out);
    shown.tail = beginning_of(line.substr(line.size() - tail), most_bytes_around, shown.left_out);
    return shown;
}

}  // namespace

ShownLine shown_line(const std::string& line) {
    ShownLine shown;
    shown.head = beginning_of(line, most_bytes_of_line, shown.left_out);
    return shown;
}

std::pair<ShownLine, ShownLine> shown_lines(const std::string& before, const std::string& after) {
    if (std::max(before.size(), after.size()) <= longest_line_shown_whole) {
        return {shown_line(before), shown_line(after)};
    }
    const auto head = common_head(before, after);
    const auto tail = common_tail(before, after, head);
    // Where nothing is left of a line, no mark helps.
    if (head + tail == 0) return {shown_line(before), shown_line(after)};
    return {part_of_line(before, head, tail), part_of_line(after, head, tail)};
}

}  // namespace fcgi::pages
