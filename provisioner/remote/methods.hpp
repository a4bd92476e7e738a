#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace provisioner::remote {

/// What two sides agree on by name.
enum class MethodKind { exchange, cipher, hash };

/// Those of the names that are strong, the best first, joined by commas; empty if none is. Which
/// names a library has changes with its version: libssh2 1.10 has AES-CTR alone, 1.11 also AES-GCM
/// and hashes over what was encrypted (etm). A name that is not known here is not offered, so
/// nothing weak comes in with a version, whatever the library offers by itself (arcfour, 3DES, CBC,
/// MD5, SHA-1). Pure.
std::string strong_methods(MethodKind kind, const std::vector<std::string_view>& supported);

}  // namespace provisioner::remote
