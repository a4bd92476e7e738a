#pragma once

#include <string>

#include "provisioner/providers/local/host/processes.hpp"

namespace provisioner::providers::local {

/// What became of a file in a host.
enum class Written {
    done,
    /// Something in the host prevents it, or it was not done within 5 s.
    prevented,
    /// The host does not run, or ends.
    gone
};

/// Replaces a file of a running host, whose root may have changed everything in it.
///
/// A child process enters the host's user and mount namespaces, becomes its root, gives up all
/// capabilities and replaces the file there (replace_file()). So every link and every mount leads
/// where it leads for the host itself, and the child can do no more than the host's own root. The
/// host cannot see the child: it stays outside of its PID namespace.
///
/// `host` must have reached its own root (HeldProcess::release()): before, its mounts are the
/// machine's. Blocks. Throws Failure if no process can be made.
Written write_inside(const ProcessId& host, const std::string& path, const std::string& text);

}  // namespace provisioner::providers::local
