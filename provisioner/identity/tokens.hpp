#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// A new API key or session token: "coop_" and 256 random bits in hexadecimal. Shown once, never
/// stored.
base::Secret new_token();

/// Whether `text` has the form of new_token; anything else need not be looked up.
bool looks_like_token(std::string_view text);

/// What is stored of a token and looked up by it: BLAKE2b-256 in hexadecimal (64 characters). No
/// salt and no slow hash are needed, because a token is random and long; and a lookup by hash tells
/// nothing by its time.
std::string hash_of_token(const base::Secret& token);

/// BLAKE2b-256 of any text in hexadecimal (64 characters).
std::string hash_of(std::string_view text);

}  // namespace provisioner::identity
