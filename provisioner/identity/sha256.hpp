#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace provisioner::identity {

/// SHA-256 (FIPS 180-4) of bytes that arrive piece by piece. Hashes uploads while they are stored,
/// so that no upload has to fit in memory. One thread at a time; not reusable after finish().
///
///     Sha256 hash;
///     while (const auto got = read(buffer)) hash.add({buffer, got});
///     const std::string hex = hash.finish();
class Sha256 {
 public:
    /// Starts with no bytes. Copies go on independently.
    Sha256();

    /// Appends bytes; where they are split does not matter.
    void add(std::string_view bytes);

    /// Hash of everything added, in lower-case hexadecimal (64 characters). Call it once, last.
    std::string finish();

 private:
    /// Storage for crypto_hash_sha256_state, so that sodium.h is included only by the .cpp. A
    /// static_assert there checks size and alignment.
    struct alignas(16) State {
        /// libsodium's state takes 104 bytes.
        std::array<std::byte, 128> bytes;
    };

    State state_;
};

}  // namespace provisioner::identity
