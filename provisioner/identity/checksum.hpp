#pragma once

#include <string>
#include <string_view>

namespace provisioner::identity {

/// BLAKE2b-256 of the bytes in lower-case hexadecimal (64 characters). Detects changed text: the
/// migrator compares the stored checksum of each applied migration with its file
/// (migrate/migration.cpp). Anybody can compute it, so it does not authenticate anything. Safe from
/// any thread. Source: RFC 7693.
std::string checksum(std::string_view bytes);

}  // namespace provisioner::identity
