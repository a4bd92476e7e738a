#pragma once

#include <cstdint>
#include <string_view>

namespace provisioner::base {

/// FNV-1a with 64 bits (RFC 9923): distinguishes texts, the same on every machine. It does not
/// resist texts made to collide; base no trust on it. `hash` is what came before the text.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

}  // namespace provisioner::base
