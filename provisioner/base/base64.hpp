#pragma once

#include <string>
#include <string_view>

namespace provisioner::base {

/// The bytes in base64 with padding, without line breaks. Source: RFC 4648, section 4.
std::string base64(std::string_view bytes);

}  // namespace provisioner::base
