#pragma once

#include <string_view>
#include <vector>

namespace provisioner::identity {

/// Whether a password is among the most common ones of eight characters and more, whatever the case
/// of its letters, or on the operator's list (password_list.hpp). The list is built in;
/// common_passwords/README.md has its source. No I/O; O(log n).
[[nodiscard]] bool is_common_password(std::string_view password);

/// The number of common passwords of at least so many characters.
std::size_t common_passwords_from(std::size_t least);

/// The text of the list in pieces that a compiler takes as literals: words in lower case, sorted,
/// each with a line end. Defined in a generated file.
std::vector<std::string_view> common_password_pieces();

}  // namespace provisioner::identity
