#pragma once

#include <string>
#include <string_view>

namespace provisioner::identity {

/// BLAKE2b-256 of the bytes in lower-case hexadecimal (64 characters). Tells changed text from the
/// same: applied migrations, repeated requests. Tokens are stored under it (tokens.hpp). Anybody
/// can compute it, so it does not authenticate anything. Safe from any thread. Source: RFC 7693.
std::string checksum(std::string_view bytes);

}  // namespace provisioner::identity
