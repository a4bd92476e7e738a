#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "provisioner/base/expected.hpp"
#include "provisioner/base/secret.hpp"

// OpenSSL's own name; its headers stay in the .cpp.
struct evp_pkey_st;

namespace provisioner::providers::joyent {

/// A private key that signs requests: RSA, ed25519 or ECDSA.
class PrivateKey {
 public:
    /// Reads the text of a key file: PEM (PKCS#1, PKCS#8, SEC 1), or OpenSSH's own form for RSA and
    /// ed25519. The error is a sentence for the person who uploaded the file; it shows nothing of
    /// the key. Source of OpenSSH's form: PROTOCOL.key of OpenSSH.
    static base::expected<PrivateKey, std::string> read(const base::Secret& text);

    /// The name of the algorithm in an Authorization header: "rsa-sha256", "ed25519-sha512",
    /// "ecdsa-sha256" and others by the curve.
    const std::string& algorithm() const { return algorithm_; }

    /// The signature in base64. Throws std::runtime_error when OpenSSL fails.
    std::string sign(std::string_view text) const;

 private:
    struct Deleter {
        void operator()(evp_pkey_st* key) const;
    };
    using Handle = std::unique_ptr<evp_pkey_st, Deleter>;

    PrivateKey(Handle key, std::string algorithm)
        : key_(std::move(key)), algorithm_(std::move(algorithm)) {}

    static Handle read_pem(const std::string& text);
    static base::expected<Handle, std::string> read_openssh(const std::string& text);

    Handle key_;
    std::string algorithm_;
};

}  // namespace provisioner::providers::joyent
