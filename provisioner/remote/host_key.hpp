#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// A public key in SSH's own form (RFC 4253, 6.6) as in known_hosts: "ssh-ed25519 AAAA...". Empty
/// when the bytes do not begin with a name.
std::string host_key_line(std::string_view key);

/// The first word of a known_hosts key, "ssh-ed25519".
std::string host_key_type(std::string_view line);

/// Whether both lines mean the same key; comments after the key do not count.
bool same_host_key(std::string_view known, std::string_view shown);

/// Which key types to ask the host for, as libssh2 wants it: the known key's own, else every one
/// that is trusted.
std::string host_key_algorithms(std::string_view known);

}  // namespace provisioner::remote
