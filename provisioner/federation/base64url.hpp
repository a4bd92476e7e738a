#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace provisioner::federation {

/// Base64 with - and _ and without padding (RFC 4648, 5).
std::string base64url(std::string_view bytes);

/// The bytes of such a text; nothing for any other text.
std::optional<std::string> from_base64url(std::string_view text);

/// The bytes of an even number of hexadecimal digits.
std::string bytes_of_hex(std::string_view digits);

}  // namespace provisioner::federation
