#include "provisioner/base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

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

std::size_t utf8_length(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

bool has_control(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7F) return true;
        // C1 is C2 80 to C2 9F.
        const bool is_c1 = c == 0xC2 && i + 1 < text.size() &&
                           static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                           static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (is_c1) return true;
    }
    return false;
}

bool has_direction(std::string_view text) {
    // All of them are three bytes that begin with E2.
    for (std::size_t i = text.find('\xE2'); i != std::string_view::npos && i + 2 < text.size();
         i = text.find('\xE2', i + 1)) {
        const auto second = static_cast<unsigned char>(text[i + 1]);
        const auto third = static_cast<unsigned char>(text[i + 2]);
        const bool is_mark = second == 0x80 && (third == 0x8E || third == 0x8F);
        const bool is_embedding = second == 0x80 && third >= 0xAA && third <= 0xAE;
        const bool is_isolate = second == 0x81 && third >= 0xA6 && third <= 0xA9;
        if (is_mark || is_embedding || is_isolate) return true;
    }
    return false;
}

std::string_view utf8_prefix(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return text;
    while (limit > 0 && is_continuation(text[limit])) --limit;
    return text.substr(0, limit);
}

std::string printable(std::string_view bytes, std::size_t limit) {
    constexpr auto digits = "0123456789abcdef";
    std::string text;
    while (!bytes.empty()) {
        const std::size_t size = character_size(bytes);
        std::string shown(bytes.substr(0, std::max<std::size_t>(size, 1)));
        bytes.remove_prefix(shown.size());
        if (size == 0 || has_control(shown) || has_direction(shown)) {
            const std::string hidden = std::exchange(shown, "");
            for (const char c : hidden) {
                const auto byte = static_cast<unsigned char>(c);
                shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            }
        }
        if (text.size() + shown.size() > limit) return text + "…";
        text += shown;
    }
    return text;
}

std::string_view utf8_suffix(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return text;
    std::size_t from = text.size() - limit;
    while (from < text.size() && is_continuation(text[from])) ++from;
    return text.substr(from);
}

}  // namespace provisioner::base
