#pragma once

#include <string>

#include "provisioner/base/json.hpp"

namespace provisioner::daemon {

/// "ssh-ed25519 AAAA..." as the wire contract's fact of a node: ssh_host_keys {"ed25519":
/// "AAAA..."}; an empty object for a key without a type.
base::Json host_key_facts(const std::string& host_key);

/// The key in a node's facts as known_hosts has it: the ed25519 key where there is one, else the
/// first; empty when none is known.
std::string known_host_key(const base::Json& results);

}  // namespace provisioner::daemon
