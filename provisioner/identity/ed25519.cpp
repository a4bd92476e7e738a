#include "provisioner/identity/ed25519.hpp"

#include <sodium.h>

#include <array>
#include <optional>

#include "provisioner/base/base64.hpp"
#include "provisioner/identity/private_file.hpp"
#include "provisioner/identity/sodium_ready.hpp"
#include "provisioner/identity/vault.hpp"

namespace provisioner::identity {

namespace {

constexpr std::string_view key_prefix = "ed25519-seed:";

const unsigned char* bytes_in(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* room_in(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

/// Exactly `size` bytes; nothing for another text.
std::optional<std::string> decoded(std::string_view base64, std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    const int failed = sodium_base642bin(room_in(bytes), size, base64.data(), base64.size(),
                                         nullptr, &got, nullptr, sodium_base64_VARIANT_ORIGINAL);
    if (failed != 0 || got != size) return std::nullopt;
    return bytes;
}

}  // namespace

SigningKey SigningKey::from_file(const std::string& path) {
    const std::string text = private_file(path);
    try {
        return from_text(std::string_view(text).substr(0, text.find_first_of("\r\n")));
    } catch (const VaultError& error) {
        throw VaultError(path + ": " + error.what());
    }
}

SigningKey SigningKey::from_text(std::string_view text) {
    make_sodium_ready();
    const auto seed = text.starts_with(key_prefix)
                          ? decoded(text.substr(key_prefix.size()), crypto_sign_SEEDBYTES)
                          : std::nullopt;
    if (!seed) throw VaultError("holds no key for signatures");
    std::string secret(crypto_sign_SECRETKEYBYTES, '\0');
    std::string open(crypto_sign_PUBLICKEYBYTES, '\0');
    crypto_sign_seed_keypair(room_in(open), room_in(secret), bytes_in(*seed));
    return {base::Secret(std::move(secret)), base::base64(open)};
}

std::string SigningKey::sign(std::string_view bytes) const {
    std::string signature(crypto_sign_BYTES, '\0');
    crypto_sign_detached(room_in(signature), nullptr, bytes_in(bytes), bytes.size(),
                         bytes_in(secret_.reveal()));
    return base::base64(signature);
}

base::Secret new_signing_key() {
    make_sodium_ready();
    std::string seed(crypto_sign_SEEDBYTES, '\0');
    randombytes_buf(seed.data(), seed.size());
    return base::Secret(std::string(key_prefix) + base::base64(seed) + "\n");
}

bool is_signed(std::string_view bytes, const std::string& signature,
               const std::string& public_key) {
    make_sodium_ready();
    const auto signed_by = decoded(signature, crypto_sign_BYTES);
    const auto key = decoded(public_key, crypto_sign_PUBLICKEYBYTES);
    if (!signed_by || !key) return false;
    return crypto_sign_verify_detached(bytes_in(*signed_by), bytes_in(bytes), bytes.size(),
                                       bytes_in(*key)) == 0;
}

}  // namespace provisioner::identity
