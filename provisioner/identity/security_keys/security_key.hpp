#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

// Security keys and passkeys as second factors: W3C Web Authentication, level 2. The browser speaks
// with the key, and static/js/security_key.js with the browser; here is what the server checks.
// Texts of the browser are base64url without padding. No I/O (libfido2 is used for its parsers and
// signatures only).

/// The site for which a key signs, as the browser sees it.
struct KeySite {
    /// "https://cooperage.example:8443".
    std::string origin{};
    /// The host of it, "cooperage.example": a key made for one host does not answer another.
    std::string host{};
};

/// What a key has to sign, and for whom.
struct KeyCeremony {
    KeySite site{};
    /// The session in which it was asked for.
    base::Secret session{};
    base::Timestamp now{};
};

/// The challenge of a ceremony, base64url: a keyed hash of the session's token and the time. So it
/// belongs to one session, ends with its token, which every success replaces, and lives for five to
/// ten minutes. Nothing has to be stored.
std::string key_challenge(const KeyCeremony& ceremony);

/// A new key, as the browser sent it.
struct NewKeyAnswer {
    std::string client_data{};
    std::string attestation{};
};

/// What is kept of a key.
struct Credential {
    /// The key's own name for it, base64url; unique among keys.
    std::string id{};
    /// COSE's number: -7 ES256, -8 EdDSA, -257 RS256.
    int algorithm = 0;
    /// As libfido2 gives it, base64url.
    std::string public_key{};
    /// How often it has signed; 0 for keys that do not count.
    std::uint32_t count = 0;
    /// Synchronised between devices by their maker.
    bool is_backed_up = false;
};

/// Checks a new key. No maker is asked for (attestation "none"), so any key will do. Error: what is
/// wrong with it, for a person.
base::expected<Credential, std::string> read_new_key(const NewKeyAnswer& answer,
                                                     const KeyCeremony& ceremony);

/// A signature of a key, as the browser sent it.
struct KeyAnswer {
    std::string credential{};
    std::string client_data{};
    std::string authenticator_data{};
    std::string signature{};
};

/// Checks a signature by a key that is known; `credential` is the one that the answer names.
/// Returns the new count. A count that did not grow is an error: somebody has a copy of the key.
base::expected<std::uint32_t, std::string> check_key_answer(const KeyAnswer& answer,
                                                            const Credential& credential,
                                                            const KeyCeremony& ceremony);

/// Algorithms that are understood, in the order of preference.
inline constexpr int key_algorithms[] = {-7, -8, -257};

}  // namespace provisioner::identity
