#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace provisioner::base {

/// Whether all bytes are UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing
/// beyond U+10FFFF. True for an empty text. Bytes of value 0 are allowed.
bool is_utf8(std::string_view bytes);

/// The bytes with U+FFFD in place of each byte that is not part of a valid character. So at most
/// three times as long. Use it for text from machines and providers before it is stored: the
/// database refuses invalid UTF-8.
std::string to_utf8(std::string_view bytes);

/// Number of characters (code points) in `text`, which must be valid UTF-8. MariaDB and MySQL count
/// the lengths of VARCHAR and CHAR columns so.
std::size_t utf8_length(std::string_view text);

/// Whether `text` has a control character: C0, DEL or C1, line ends among them.
bool has_control(std::string_view text);

/// Whether `text` has a character that changes the order in which others are shown, by which one
/// text can be made to look like another: U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
bool has_direction(std::string_view text);

/// The longest prefix of at most `limit` bytes that does not split a character. `text` must be
/// valid UTF-8. The result points into `text`. Cuts text to the size of a column.
std::string_view utf8_prefix(std::string_view text, std::size_t limit);

/// What another system says, for people to read on one line: each byte of a control character, of
/// one that changes the direction of others (has_direction) and of what is not UTF-8 as "\x0a". At
/// most `limit` bytes of the result, then "…" where it was longer.
std::string printable(std::string_view bytes, std::size_t limit);

/// The longest suffix of at most `limit` bytes that does not split a character; otherwise as
/// utf8_prefix.
std::string_view utf8_suffix(std::string_view text, std::size_t limit);

}  // namespace provisioner::base
