#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// A secret could not be sealed or opened: a master key is missing or malformed, or the sealed text
/// was changed or moved. The text says which, for operators, and never contains a secret.
class VaultError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// A sealed text needs a master key that is not among those given.
class LackingMasterKey : public VaultError {
 public:
    using VaultError::VaultError;
};

/// Master keys of 32 bytes by their number (from 1). The highest number is the newest key: seal()
/// uses it, older ones only open.
using MasterKeys = std::map<int, base::Secret>;

/// Reads the key file: lines of "<number> <64 hexadecimal digits>" in any order; may be empty.
/// Throws VaultError for a malformed key, for a number below 1 and for a number that appears twice.
MasterKeys master_keys_in(const std::string& text);

/// A line for that file, ending in a newline, with a random key. Its number is one above the
/// highest in `keys`, or 1.
std::string new_master_key(const MasterKeys& keys);

/// Encrypts a secret for storage. Both layers use XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha).
/// Sealing twice gives different texts. Form of the result, sizes in bytes:
///
///     "<number of the master key>." base64url(nonce 24, data key 32 + tag 16,
///                                             nonce 24, secret n + tag 16)
///
/// * Envelope encryption: each secret has a random data key, which the master key encrypts.
///   Rotating the master key therefore rewrites only the small wrapped key.
/// * `place` is authenticated but not stored: tenant, kind, id and field
///   (operations/catalogue/provider_secrets.cpp). A sealed text that is copied to another row does
///   not open there.
/// * Throws VaultError when `keys` is empty.
std::string seal(const MasterKeys& keys, const base::Secret& secret, std::string_view place);

/// The secret that was sealed for `place`. Throws VaultError when `sealed` is malformed or was
/// changed, when `place` differs, or when `keys` lacks its master key.
base::Secret open(const MasterKeys& keys, std::string_view sealed, std::string_view place);

/// The number of the master key that a sealed text needs. Throws VaultError for another text.
int key_number_of(std::string_view sealed);

/// `sealed` with its data key encrypted by the newest master key; nothing when it is so already.
/// The secret itself is not decrypted, so its place need not be known. Throws VaultError when
/// `sealed` is malformed or its master key is missing or wrong. Called for every stored secret when
/// keys are rotated.
std::optional<std::string> rewrapped(const MasterKeys& keys, std::string_view sealed);

}  // namespace provisioner::identity
