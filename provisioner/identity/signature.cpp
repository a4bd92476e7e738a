#include "provisioner/identity/signature.hpp"

#include <sodium.h>

#include <array>

#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {

std::string signature(const base::Secret& key, std::string_view text) {
    make_sodium_ready();
    const std::string& bytes = key.reveal();
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(bytes.data()),
                                bytes.size());
    crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()),
                                  text.size());
    std::array<unsigned char, crypto_auth_hmacsha256_BYTES> mac{};
    crypto_auth_hmacsha256_final(&state, mac.data());
    std::array<char, crypto_auth_hmacsha256_BYTES * 2 + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), mac.data(), mac.size());
    return hex.data();
}

}  // namespace provisioner::identity
