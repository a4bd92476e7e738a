#include "provisioner/identity/codes/database_password.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace provisioner::identity {

namespace {

std::string sha1(const std::string& text) {
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
                   EVP_sha1(), nullptr) != 1) {
        throw std::runtime_error("libcrypto has no SHA-1");
    }
    digest.resize(size);
    return digest;
}

}  // namespace

std::string native_password_hash(const base::Secret& password) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string hash = "*";
    for (const char byte : sha1(sha1(password.reveal()))) {
        const auto value = static_cast<unsigned char>(byte);
        hash += digits[value >> 4U];
        hash += digits[value & 15U];
    }
    return hash;
}

}  // namespace provisioner::identity
