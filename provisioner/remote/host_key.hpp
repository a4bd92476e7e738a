#pragma once

#include <string>
#include <string_view>

namespace provisioner::remote {

/// A public key blob (RFC 4253, section 6.6) as in known_hosts without the host name: type, blank,
/// base64. Empty when the bytes do not begin with the name of a key type.
std::string host_key_line(std::string_view key);

/// The first two words of such a line: type and key. Points into `line`.
std::string_view without_comment(std::string_view line);

/// The first word of a known_hosts key, "ssh-ed25519".
std::string host_key_type(std::string_view line);

/// Whether one of the lines in `known` and `shown` hold the same type and key; a comment after the
/// key does not count. False when `known` is empty.
bool same_host_key(std::string_view known, std::string_view shown);

/// Host key types to ask the host for, joined by commas as libssh2 takes them. With known keys, one
/// a line, only their types, so that a host with several keys shows the known one. Else every
/// trusted type: ed25519 and three of ECDSA.
std::string host_key_algorithms(std::string_view known);

}  // namespace provisioner::remote
