#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/provider.hpp"
#include "provisioner/remote/steps.hpp"

namespace provisioner::daemon {

// A host key that travelled in user data was readable on the way: in the account, and for every
// process of the machine. So the machine makes another one. In between both are valid, so that a
// daemon that dies at any point finds a key it knows:
//
//     confirm    logs in by the key that travelled; the machine makes the next one and tells it
//                (next_host_key_step); both are stored
//     bootstrap  begins by putting the next one in the place of the first (switch_host_key_step),
//     and
//                ends by a login that accepts no other

/// Makes the next host key, unless there is one, and reports it as the fact "ssh_host_key_next".
remote::Run next_host_key_step();

/// Puts the next host key in the place of the first and has sshd read it. Harmless to repeat.
remote::Run switch_host_key_step();

/// The next host key among a node's results, "ssh-ed25519 AAAA..."; empty when the machine is not
/// in between.
std::string next_host_key(const base::Json& results);

/// The fact "ssh_host_key_origin": how the host key came to be known.
base::Json host_key_origin(const providers::Reachable& reachable);

/// The facts of a node whose machine has switched: `host_key` is the one and only.
base::Json switched_facts(const std::string& host_key);

}  // namespace provisioner::daemon
