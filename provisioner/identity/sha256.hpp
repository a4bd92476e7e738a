#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace provisioner::identity {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Sha256 {
 public:
    Sha256();

    void add(std::string_view bytes);

    /// The hash of everything added, in hexadecimal (64 characters); nothing may be added after it.
    std::string finish();

 private:
    /// libsodium's state, which only the .cpp knows.
    struct alignas(16) State {
        std::array<std::byte, 128> bytes;
    };

    State state_;
};

}  // namespace provisioner::identity
