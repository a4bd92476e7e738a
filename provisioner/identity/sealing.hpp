#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// A secret could not be sealed or opened: the key is not there, or the sealed text was changed or
/// moved. The text says which, and names no secret.
class VaultError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// Keys of 32 bytes by number; the highest is the newest.
using MasterKeys = std::map<int, base::Secret>;

/// Reads lines "<number> <64 hexadecimal digits>"; throws VaultError.
MasterKeys master_keys_in(const std::string& text);

/// A line with a random key, the newest beside `keys`.
std::string new_master_key(const MasterKeys& keys);

/// Encrypts the secret under a data key of its own, and that under the newest master key (both
/// XChaCha20-Poly1305): "<number of the master key>.<base64url>". `place` is any text that says
/// where it belongs: with another it does not open. Throws VaultError.
std::string seal(const MasterKeys& keys, const base::Secret& secret, std::string_view place);

/// What was sealed. Throws VaultError.
base::Secret open(const MasterKeys& keys, std::string_view sealed, std::string_view place);

/// The same secret under the newest master key; nothing when it is that already. The secret stays
/// closed, so its place need not be known. Throws VaultError.
std::optional<std::string> rewrapped(const MasterKeys& keys, std::string_view sealed);

}  // namespace provisioner::identity
