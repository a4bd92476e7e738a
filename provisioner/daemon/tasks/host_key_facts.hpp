#pragma once

#include <string>

#include "provisioner/base/json.hpp"

namespace provisioner::daemon {

/// Both functions convert host keys. remote::Session uses the form of known_hosts; a node's results
/// have the wire contract's form, with types without "ssh-".
///
/// "ssh-ed25519 AAAA..." becomes {"ssh_host_keys": {"ed25519": "AAAA..."}}; a text without a blank
/// becomes an empty object.
base::Json host_key_facts(const std::string& host_key);

/// The key in a node's results in the form of known_hosts: the ed25519 key if there is one, else
/// the first. Empty when none is known; the session then pins the key of the first contact.
std::string known_host_key(const base::Json& results);

}  // namespace provisioner::daemon
