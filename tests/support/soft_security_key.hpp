#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "provisioner/identity/security_keys/security_key.hpp"

namespace tests {

/// A security key in software with an ES256 key of its own, together with the browser that it is
/// plugged into. Written after the W3C's text and not with libfido2, which judges its answers.
class SoftSecurityKey {
 public:
    SoftSecurityKey();
    ~SoftSecurityKey();
    SoftSecurityKey(SoftSecurityKey&&) noexcept;
    SoftSecurityKey& operator=(SoftSecurityKey&&) noexcept;
    SoftSecurityKey(const SoftSecurityKey&) = delete;
    SoftSecurityKey& operator=(const SoftSecurityKey&) = delete;

    /// What a test may have wrong in an answer; the defaults are right.
    struct Answering {
        /// Of the page that asks.
        std::string origin{};
        /// For which the key signs.
        std::string host{};
        std::string challenge{};
        /// Nothing: "webauthn.create" and "webauthn.get".
        std::string type{};
        bool is_touched = true;
        bool is_framed = false;
        /// -1: one more than before.
        std::int64_t count = -1;
    };

    /// Right answers to a ceremony.
    static Answering to(const provisioner::identity::KeyCeremony& ceremony);

    provisioner::identity::NewKeyAnswer make(const Answering& answering);
    provisioner::identity::KeyAnswer sign(const Answering& answering);

    /// Its name, base64url.
    std::string id() const;

 private:
    struct Inner;
    std::unique_ptr<Inner> inner_;
};

/// Bytes in base64url without padding.
std::string base64url(std::string_view bytes);

}  // namespace tests
