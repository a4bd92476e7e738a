#pragma once

#include "provisioner/daemon/tasks/login_keys.hpp"
#include "provisioner/daemon/tasks/work.hpp"
#include "provisioner/remote/session.hpp"

namespace provisioner::daemon {

/// The machine of the work's node in the provider's terms.
providers::MachineSpec spec_of(const Work& work, const LoginKeys& keys,
                               const providers::Provider& provider);

/// Where the node's machine is reached, by the keys that are known. `node` is the work's node, or a
/// copy that was confirmed just now. While a machine changes its host key both are accepted
/// (own_host_key.hpp). Throws std::invalid_argument when the node has no address.
remote::Endpoint endpoint_of(const Work& work, const model::Node& node, const LoginKeys& keys,
                             const providers::Provider& provider);

/// The same for a node of the account.
remote::Endpoint endpoint_of(const model::Account& account, const model::Node& node,
                             const LoginKeys& keys, const providers::Provider& provider);

}  // namespace provisioner::daemon
