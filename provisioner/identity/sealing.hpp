#pragma once

#include <compare>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// A secret could not be sealed or opened: a key is missing or malformed, or the sealed text was
/// changed or moved. The text says which, for operators, and never contains a secret.
class VaultError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The database names another key than this host has. While keys are rotated that lasts for a
/// moment, so store::Database runs the transaction again; a host that was left behind stays so.
class KeysOutOfStep : public VaultError {
 public:
    using VaultError::VaultError;
};

/// A sealed text needs a key that is not among those given.
class LackingKey : public VaultError {
 public:
    using VaultError::VaultError;
};

/// Keys of 32 bytes by their number (from 1). The highest number is the newest: it seals, older
/// ones only open. Two rings have this form:
///
/// * master keys, which seal and open;
/// * private keys of daemons (X25519), which open what was sealed under their public halves.
using Keys = std::map<int, base::Secret>;

/// Reads a key file: lines of "<number> <64 hexadecimal digits>" in any order; may be empty. Throws
/// VaultError for a malformed key, for a number below 1 and for a number that appears twice.
Keys keys_in(const std::string& text);

/// A line for that file, ending in a newline, with a random key. Its number is one above the
/// highest in `keys`, or 1.
std::string new_key(const Keys& keys);

/// Which key a sealed text needs.
struct KeyName {
    /// A private key of daemons, not a master key.
    bool is_of_daemons = false;
    int number = 0;
    /// Of a key of daemons: 16 hexadecimal digits of the hash of its public half, so that two keys
    /// that two hosts gave the same number are told apart.
    std::string fingerprint{};

    auto operator<=>(const KeyName&) const = default;
};

/// "master key 2" or "daemon key 2".
std::string to_words(const KeyName& name);

/// What seals: the newest master key, or the public half of the newest key of daemons.
struct SealingKey {
    KeyName name;
    base::Secret bytes;
};

/// The newest of the master keys. Throws VaultError when there is none.
SealingKey newest_of(const Keys& master_keys);

/// The public half of a key of daemons.
SealingKey public_half_of(int number, const base::Secret& daemon_key);

/// That of the newest of the daemons' keys. Throws VaultError when there is none.
SealingKey public_half_of(const Keys& daemon_keys);

/// Whether the daemons' keys have that one.
bool has_key(const Keys& daemon_keys, const KeyName& name);

/// The line of a public key's file, ending in a newline, and its inverse. Throws VaultError when
/// the text is not one such line.
std::string line_of_public_half(const SealingKey& key);
SealingKey public_half_in(const std::string& text);

/// Encrypts a secret for storage. Sealing twice gives different texts. Form of the result, sizes in
/// bytes:
///
///     "<number>."  base64url(nonce 24, data key 32 + tag 16,      under a master key
///                            nonce 24, secret n + tag 16)
///     "d<number>-<fingerprint>."
///                  base64url(public key 32, tag 16 + data key 32, under a key of daemons
///                            nonce 24, secret n + tag 16)
///
/// * Envelope encryption: each secret has a random data key, which the sealing key encrypts.
///   Rotating keys therefore rewrites only the small wrapped key.
/// * Secrets, and data keys under master keys: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha). Data
///   keys under keys of daemons: crypto_box_seal of libsodium (X25519, XSalsa20-Poly1305). Who has
///   the public half alone cannot open what it has sealed.
/// * `place` is authenticated but not stored: tenant, kind, id and field
///   (operations/catalogue/provider_secrets.cpp). A sealed text that is copied to another row does
///   not open there.
std::string seal(const SealingKey& key, const base::Secret& secret, std::string_view place);

/// The secret that was sealed for `place`, by the keys of the ring that key_name_of() tells. Throws
/// VaultError when `sealed` is malformed or was changed, when `place` differs, or when `keys` lacks
/// its key.
base::Secret open(const Keys& keys, std::string_view sealed, std::string_view place);

/// The key that a sealed text needs. Throws VaultError for another text.
KeyName key_name_of(std::string_view sealed);

/// `sealed` with its data key under the key `to`; nothing when it is so already. The secret itself
/// is not decrypted, so its place need not be known. `keys`: of the ring that key_name_of() tells.
/// Throws VaultError when `sealed` is malformed or its key is missing or wrong. Called for every
/// stored secret when keys are rotated.
std::optional<std::string> rewrapped(const Keys& keys, std::string_view sealed,
                                     const SealingKey& to);

}  // namespace provisioner::identity
