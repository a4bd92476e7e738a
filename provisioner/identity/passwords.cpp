#include "provisioner/identity/passwords.hpp"

#include <sodium.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/hash_gate.hpp"
#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {
namespace {

constexpr unsigned long long passes = 2;
constexpr std::size_t memory = 19'456UL * 1024UL;

}  // namespace

std::string hash_password(const base::Secret& password) {
    make_sodium_ready();
    std::array<char, crypto_pwhash_STRBYTES> stored{};
    const std::string& text = password.reveal();
    const HashGate::Turn turn(hash_gate());
    if (crypto_pwhash_str(stored.data(), text.data(), text.size(), passes, memory) != 0) {
        throw std::runtime_error("no memory left to hash a password");
    }
    return stored.data();
}

bool password_matches(const base::Secret& password, const std::string& stored) {
    make_sodium_ready();
    // libsodium reads the whole buffer of fixed size, whatever the length of the text.
    std::array<char, crypto_pwhash_STRBYTES> padded{};
    if (stored.size() >= padded.size()) return false;
    std::memcpy(padded.data(), stored.data(), stored.size());
    const std::string& text = password.reveal();
    const HashGate::Turn turn(hash_gate());
    return crypto_pwhash_str_verify(padded.data(), text.data(), text.size()) == 0;
}

bool is_old_hash(const std::string& stored) {
    make_sodium_ready();
    return stored.size() < crypto_pwhash_STRBYTES &&
           crypto_pwhash_str_needs_rehash(stored.c_str(), passes, memory) != 0;
}

const std::string& decoy_hash() {
    static const std::string decoy = hash_password(base::Secret(base::random_hex(32)));
    return decoy;
}

}  // namespace provisioner::identity
