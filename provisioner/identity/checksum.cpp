#include "provisioner/identity/checksum.hpp"

#include <sodium.h>

#include <array>

#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {

std::string checksum(std::string_view bytes) {
    make_sodium_ready();
    std::array<unsigned char, crypto_generichash_BYTES> hash{};
    crypto_generichash(hash.data(), hash.size(),
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                       0);
    std::array<char, crypto_generichash_BYTES * 2 + 1> text{};
    sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
    return text.data();
}

}  // namespace provisioner::identity
