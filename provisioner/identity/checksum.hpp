#pragma once

#include <string>
#include <string_view>

namespace provisioner::identity {

/// BLAKE2b-256 of the bytes in hexadecimal (64 characters): tells whether a text is still the same.
std::string checksum(std::string_view bytes);

}  // namespace provisioner::identity
