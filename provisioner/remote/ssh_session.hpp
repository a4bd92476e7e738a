#pragma once

#include <memory>
#include <string>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// How sessions behave on the node.
struct SshOptions {
    /// Absolute path of a folder of the node, where steps and the wrapper are kept. Must survive a
    /// restart of the node.
    std::string state_directory = "/var/lib/cooperage";
};

/// Opens sessions by libssh2, each on the executor of the coroutine that connects; that loop must
/// run on one thread.
std::unique_ptr<Connector> make_ssh_connector(SshOptions options = {});

}  // namespace provisioner::remote
