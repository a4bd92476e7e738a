#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// HMAC-SHA-256 of `text` under a key of any length, in lower-case hexadecimal (64 characters).
/// Callbacks carry it in the header Cooperage-Signature, so that receivers can verify who sent them
/// (callbacks/message.cpp). Signing time and body together lets them refuse an old message. An
/// empty key gives a valid but worthless signature. Sources: RFC 2104, RFC 6234.
std::string signature(const base::Secret& key, std::string_view text);

}  // namespace provisioner::identity
