#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace provisioner::base {

/// Whether the bytes are UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing
/// beyond U+10FFFF.
bool is_utf8(std::string_view bytes);

/// The bytes with U+FFFD in place of every byte that belongs to no valid character: at most three
/// times as long.
std::string to_utf8(std::string_view bytes);

/// The longest beginning of `text`, which is UTF-8, that has at most `limit` bytes and ends between
/// two characters.
std::string_view utf8_prefix(std::string_view text, std::size_t limit);

/// The longest end of such a text.
std::string_view utf8_suffix(std::string_view text, std::size_t limit);

}  // namespace provisioner::base
