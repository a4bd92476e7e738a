#pragma once

#include <optional>
#include <string>

namespace provisioner::providers::aws {

/// The bytes of a base64 text; blanks and line breaks are ignored. Nothing for other characters.
std::optional<std::string> from_base64(const std::string& text);

/// The host key that a console shows, as cloud-init and other first boots print it between
/// "-----BEGIN SSH HOST KEY KEYS-----" and "-----END SSH HOST KEY KEYS-----": the ed25519 one, else
/// the first ecdsa one. Without the name at its end; "" when there is none.
std::string host_key_in_console(const std::string& console);

}  // namespace provisioner::providers::aws
