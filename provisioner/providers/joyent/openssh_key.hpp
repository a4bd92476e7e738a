#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "provisioner/base/expected.hpp"

namespace provisioner::providers::joyent {

/// Numbers of an RSA key, big-endian, as in the file.
struct RsaParts {
    std::string n;
    std::string e;
    std::string d;
    std::string p;
    std::string q;
};

/// The private half of an ed25519 key: 32 bytes.
struct Ed25519Seed {
    std::string bytes;
};

/// The private key in a file of OpenSSH's own form ("BEGIN OPENSSH PRIVATE KEY"), which ssh-keygen
/// writes and OpenSSL cannot read. The error is a sentence. Source: PROTOCOL.key of OpenSSH.
base::expected<std::variant<RsaParts, Ed25519Seed>, std::string> openssh_key_in(
    std::string_view text);

}  // namespace provisioner::providers::joyent
