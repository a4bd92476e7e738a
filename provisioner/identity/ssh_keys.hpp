#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// An SSH key pair in the forms in which programs exchange them.
struct SshKeyPair {
    /// Text of an OpenSSH private key file (ed25519), without a passphrase; ends with a line end.
    base::Secret private_key;
    /// "ssh-ed25519 AAAA...", without a comment.
    std::string public_key;

    bool operator==(const SshKeyPair&) const = default;
};

/// A secret derived from another one for a purpose, 32 bytes. Equal arguments give equal secrets,
/// and nobody finds one purpose's secret by another's. BLAKE2b-256 with `from` hashed as its key
/// (RFC 7693, section 2.9).
base::Secret derived_secret(const base::Secret& from, std::string_view purpose);

/// 32 random bytes, for a new key pair.
base::Secret random_seed();

/// The ed25519 key pair that the seed determines. `seed` has 32 bytes, as derived_secret() gives;
/// throws std::invalid_argument else. Sources: RFC 8032, section 5.1.5; OpenSSH's PROTOCOL.key.
SshKeyPair ssh_key_pair(const base::Secret& seed);

/// The public key of the text of a private key file in OpenSSH's own form ("BEGIN OPENSSH PRIVATE
/// KEY"), which holds it in clear. Nothing for other texts, such as PEM keys, and for keys with a
/// passphrase.
std::optional<std::string> public_key_in(std::string_view private_key);

}  // namespace provisioner::identity
