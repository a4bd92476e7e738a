#include "provisioner/identity/sha256.hpp"

#include <sodium.h>

namespace provisioner::identity {

namespace {

template <class State>
crypto_hash_sha256_state* raw(State& state) {
    static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(State));
    static_assert(alignof(crypto_hash_sha256_state) <= alignof(State));
    return reinterpret_cast<crypto_hash_sha256_state*>(&state);
}

}  // namespace

Sha256::Sha256() {
    crypto_hash_sha256_init(raw(state_));
}

void Sha256::add(std::string_view bytes) {
    crypto_hash_sha256_update(raw(state_), reinterpret_cast<const unsigned char*>(bytes.data()),
                              bytes.size());
}

std::string Sha256::finish() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
    crypto_hash_sha256_final(raw(state_), hash.data());
    std::array<char, crypto_hash_sha256_BYTES * 2 + 1> text{};
    sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
    return text.data();
}

}  // namespace provisioner::identity
