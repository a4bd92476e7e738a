#include "provisioner/remote/methods.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace provisioner::remote {

namespace {

using namespace std::string_view_literals;

/// The last is the only one that CentOS 6 (OpenSSH 5.3) has, too. libssh2 asks for a group of 4096
/// bits and takes one of 2048 at least.
constexpr std::array strong_exchanges{"mlkem768x25519-sha256"sv,
                                      "sntrup761x25519-sha512"sv,
                                      "sntrup761x25519-sha512@openssh.com"sv,
                                      "curve25519-sha256"sv,
                                      "curve25519-sha256@libssh.org"sv,
                                      "ecdh-sha2-nistp256"sv,
                                      "ecdh-sha2-nistp384"sv,
                                      "ecdh-sha2-nistp521"sv,
                                      "diffie-hellman-group16-sha512"sv,
                                      "diffie-hellman-group18-sha512"sv,
                                      "diffie-hellman-group-exchange-sha256"sv};

/// ChaCha20 last: without "strict kex", which both sides must know, packets of it can be dropped
/// (CVE-2023-48795). Every libssh2 that has the cipher knows it, but a server may not.
constexpr std::array strong_ciphers{"aes256-gcm@openssh.com"sv,
                                    "aes128-gcm@openssh.com"sv,
                                    "aes256-ctr"sv,
                                    "aes192-ctr"sv,
                                    "aes128-ctr"sv,
                                    "chacha20-poly1305@openssh.com"sv};

constexpr std::array strong_hashes{"hmac-sha2-256-etm@openssh.com"sv,
                                   "hmac-sha2-512-etm@openssh.com"sv, "hmac-sha2-256"sv,
                                   "hmac-sha2-512"sv};

std::span<const std::string_view> strong_names(MethodKind kind) {
    switch (kind) {
        case MethodKind::exchange:
            return strong_exchanges;
        case MethodKind::cipher:
            return strong_ciphers;
        case MethodKind::hash:
            return strong_hashes;
    }
    return {};
}

}  // namespace

std::string strong_methods(MethodKind kind, const std::vector<std::string_view>& supported) {
    std::string names;
    for (const std::string_view name : strong_names(kind)) {
        if (std::find(supported.begin(), supported.end(), name) == supported.end()) continue;
        if (!names.empty()) names += ',';
        names += name;
    }
    return names;
}

}  // namespace provisioner::remote
