#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// The token a session's forms carry: a hash of the session token for this one purpose, 64
/// hexadecimal characters. The same for the whole session, nothing is stored, and the session token
/// cannot be computed from it.
std::string csrf_token(const base::Secret& session_token);

/// Whether `given` is that token; compared in constant time.
[[nodiscard]] bool csrf_token_matches(const base::Secret& session_token, std::string_view given);

}  // namespace provisioner::identity
