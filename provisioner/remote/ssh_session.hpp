#pragma once

#include <memory>
#include <string>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// How SSH sessions behave on the node.
struct SshOptions {
    /// Absolute path of the directory on the node that holds the ledger of steps and the wrapper
    /// script. It must survive a restart of the node: a step that was forgotten would run twice.
    /// All daemons of an installation must use the same directory.
    std::string state_directory = "/var/lib/cooperage";
};

/// The connector over libssh2. Each session belongs to the executor of the coroutine that connects,
/// and that loop must run on one thread.
///
/// A session keeps one shell open on the node (KeptShell) and sends it small requests. Large
/// scripts, large or binary uploads, deliveries and stops have a channel each. The wrapper script
/// is installed when a call finds it missing. A call ends with NoAnswer 60 seconds after the step's
/// limit; for files, their size adds to the 60 seconds (100 kB/s to send, 10 MB/s to check).
std::unique_ptr<Connector> make_ssh_connector(SshOptions options = {});

}  // namespace provisioner::remote
