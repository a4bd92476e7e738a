#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// HMAC-SHA-256 (RFC 2104, RFC 6234) of the text under a key of any length, in hexadecimal (64
/// characters).
std::string signature(const base::Secret& key, std::string_view text);

}  // namespace provisioner::identity
