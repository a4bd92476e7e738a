#include "provisioner/identity/csrf_token.hpp"

#include <sodium.h>

#include "provisioner/identity/sodium_ready.hpp"
#include "provisioner/identity/tokens.hpp"

namespace provisioner::identity {
namespace {

// Domain separation: without it the token would equal the hash that the database stores.
constexpr std::string_view purpose = "cooperage csrf token of ";

}  // namespace

std::string csrf_token(const base::Secret& session_token) {
    return hash_of_token(base::Secret(std::string(purpose) + session_token.reveal()));
}

bool csrf_token_matches(const base::Secret& session_token, std::string_view given) {
    make_sodium_ready();
    const std::string expected = csrf_token(session_token);
    if (given.size() != expected.size()) return false;
    return sodium_memcmp(given.data(), expected.data(), expected.size()) == 0;
}

}  // namespace provisioner::identity
