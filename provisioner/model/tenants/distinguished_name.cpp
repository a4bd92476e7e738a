#include "provisioner/model/tenants/distinguished_name.hpp"

#include <charconv>

#include "provisioner/base/words.hpp"

namespace provisioner::model {

namespace {

/// Reads a character or an escape at `at`, and goes behind it. A backslash that begins no escape is
/// a backslash.
char next_of_name(std::string_view text, std::size_t& at) {
    constexpr std::string_view escapable = "\"+,;<> #=\\";
    const char c = text[at++];
    if (c != '\\') return c;
    const std::string_view rest = text.substr(at, 2);
    unsigned byte = 0;
    const char* end = rest.data() + rest.size();
    if (rest.size() == 2 && std::from_chars(rest.data(), end, byte, 16).ptr == end) {
        at += 2;
        return static_cast<char>(byte);
    }
    if (rest.empty() || escapable.find(rest.front()) == std::string_view::npos) return c;
    ++at;
    return rest.front();
}

/// A value that begins with # and `is_hex` is written in hexadecimal digits, and not a text.
std::string escaped_part(const std::string& part, bool is_hex) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::string_view dividing = ",+=\\";
    std::string text;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const char c = part[i];
        const bool is_at_end = i == 0 || i + 1 == part.size();
        const bool is_escaped = dividing.find(c) != std::string_view::npos ||
                                (c == ' ' && is_at_end) || (c == '#' && i == 0 && !is_hex);
        if (is_escaped) {
            const auto byte = static_cast<unsigned char>(c);
            text += {'\\', digits[byte >> 4U], digits[byte & 15U]};
        } else {
            text += c;
        }
    }
    return text;
}

/// Reads from `at` up to one of the dividers.
std::string comparable_part(std::string_view text, std::size_t& at, std::string_view dividers) {
    while (at < text.size() && text[at] == ' ') ++at;
    const bool is_hex = at < text.size() && text[at] == '#';
    std::string part;
    std::size_t length = 0;
    while (at < text.size() && dividers.find(text[at]) == std::string_view::npos) {
        const bool is_blank = text[at] == ' ';
        part += next_of_name(text, at);
        if (!is_blank) length = part.size();
    }
    part.resize(length);
    return escaped_part(base::in_small_letters(part), is_hex);
}

}  // namespace

std::string comparable_name(std::string_view text) {
    std::string comparable;
    bool in_attribute = true;
    std::size_t at = 0;
    while (true) {
        comparable += comparable_part(text, at, in_attribute ? ",+=" : ",+");
        if (at == text.size()) return comparable;
        in_attribute = text[at] != '=';
        comparable += text[at++];
    }
}

}  // namespace provisioner::model
