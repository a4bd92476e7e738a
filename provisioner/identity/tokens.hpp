#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// A new API key or session token: "coop_" and 256 random bits in lower-case hexadecimal (69
/// characters). The person sees it once; the database stores only hash_of_token(). The prefix lets
/// scanners find leaked keys. Throws std::runtime_error when the kernel gives no random bytes.
base::Secret new_token();

/// Whether `text` has the form of new_token(). A request with any other text is refused without a
/// query.
bool looks_like_token(std::string_view text);

/// Hash under which a token is stored and looked up: checksum() of its text. Needs neither salt nor
/// a slow hash, because a token is long and random. A lookup by hash also reveals nothing about the
/// token by its duration.
std::string hash_of_token(const base::Secret& token);

}  // namespace provisioner::identity
