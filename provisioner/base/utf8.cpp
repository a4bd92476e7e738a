#include "provisioner/base/utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace provisioner::base {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Properties of a lead byte.
struct Lead {
    /// Continuation bytes after it; -1 when the byte cannot begin a character.
    int following = -1;
    /// Its bits of the code point.
    std::uint32_t bits = 0;
    /// The smallest code point that needs this length; below it the form is overlong.
    std::uint32_t smallest = 0;
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {0, byte, 0};
    if (byte >= 0xC0 && byte < 0xE0) return {1, byte & 0x1FU, 0x80};
    if (byte >= 0xE0 && byte < 0xF0) return {2, byte & 0x0FU, 0x800};
    if (byte >= 0xF0 && byte < 0xF8) return {3, byte & 0x07U, 0x10000};
    return {};
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Length in bytes of the character at the beginning of `bytes`, which is not empty; 0 when there
/// is no valid one.
std::size_t character_size(std::string_view bytes) {
    const Lead lead = lead_of(static_cast<unsigned char>(bytes.front()));
    const auto size = static_cast<std::size_t>(lead.following + 1);
    if (lead.following < 0 || bytes.size() < size) return 0;
    std::uint32_t point = lead.bits;
    for (std::size_t i = 1; i < size; ++i) {
        if (!is_continuation(bytes[i])) return 0;
        point = (point << 6) | (static_cast<unsigned char>(bytes[i]) & 0x3FU);
    }
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    return point < lead.smallest || point > 0x10FFFF || surrogate ? 0 : size;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t size = character_size(bytes);
        if (size == 0) return false;
        bytes.remove_prefix(size);
    }
    return true;
}

std::string to_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t size = character_size(bytes);
        text += size == 0 ? replacement : bytes.substr(0, size);
        bytes.remove_prefix(size == 0 ? 1 : size);
    }
    return text;
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

std::size_t utf8_length(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

std::string_view utf8_prefix(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return text;
    while (limit > 0 && is_continuation(text[limit])) --limit;
    return text.substr(0, limit);
}

std::string_view utf8_suffix(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return text;
    std::size_t from = text.size() - limit;
    while (from < text.size() && is_continuation(text[from])) ++from;
    return text.substr(from);
}

}  // namespace provisioner::base
