#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// Signs under a key that others verify without having it (RFC 8032, Ed25519). Seals the audit log.
class SigningKey {
 public:
    /// Reads the first line of a private file, as new_signing_key() makes it. Throws VaultError
    /// when the file cannot be read, others may read it, or it holds no such key.
    static SigningKey from_file(const std::string& path);

    /// The key that this text holds: "ed25519-seed:" and 32 bytes in base64. Throws VaultError.
    static SigningKey from_text(std::string_view text);

    /// The signature of the bytes in base64.
    std::string sign(std::string_view bytes) const;

    /// 32 bytes in base64: what others verify by.
    const std::string& public_key() const { return public_key_; }

 private:
    SigningKey(base::Secret secret, std::string public_key)
        : secret_(std::move(secret)), public_key_(std::move(public_key)) {}

    base::Secret secret_;
    std::string public_key_;
};

/// The text of a file with a new random key: one line.
base::Secret new_signing_key();

/// Whether `signature` is that of the bytes under the public key, both in base64. False for texts
/// that are none.
bool is_signed(std::string_view bytes, const std::string& signature, const std::string& public_key);

}  // namespace provisioner::identity
