#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

// Codes of the second factor: six digits of an app that change every 30 seconds (RFC 6238 with
// HMAC-SHA-1, as all apps know it), and recovery codes on paper. No I/O.

/// A new secret for an app: 160 random bits in base32 (32 characters).
base::Secret new_code_secret();

/// The step of 30 seconds since 1970 in which a moment lies.
std::int64_t code_step(base::Timestamp moment);

/// The code of a step. `secret` is base32; throws std::invalid_argument for another text.
std::string code_of_step(const base::Secret& secret, std::int64_t step);

/// The step whose code was typed: that of `now`, or in its first ten seconds the one before, so a
/// code lives forty seconds at most (ASVS 6.5.5: thirty, clocks aside). Steps up to `last_used` do
/// not count, so a code works once. Blanks in `typed` do not count. Nothing for a wrong code.
std::optional<std::int64_t> matching_step(const base::Secret& secret, std::string_view typed,
                                          base::Timestamp now, std::int64_t last_used);

/// What an app reads from a picture: "otpauth://totp/...". Source: Google Authenticator's key URI
/// format.
std::string code_address(const base::Secret& secret, std::string_view account);

/// Ten new recovery codes of 128 bits, "abcd-efgh-ijkl-mnop-qrst-uvwx-yz": more than the 112 bits
/// from which on a fast hash will do (ASVS 6.5.2).
std::vector<base::Secret> new_recovery_codes();

/// What is stored and looked up of a recovery code that was typed: a hash that ignores case, blanks
/// and hyphens. Fast on purpose: the codes are long and random.
std::string hash_of_recovery_code(std::string_view typed);

/// Bytes in base32 without padding, upper case (RFC 4648).
std::string base32(std::string_view bytes);
/// The bytes of such a text; nothing for other characters.
std::optional<std::string> from_base32(std::string_view text);

}  // namespace provisioner::identity
