#pragma once

#include <string>

namespace provisioner::automators {

/// apply-manifest on a node: `puppet apply` with what is in the workspace that is its first
/// argument; the others are puppet's. Changes are success (exit code 0), and what failed is its
/// last line on stderr.
std::string apply_manifest_script();

/// Stops the agent that packages start where there is no systemd: it would look for a server.
std::string stop_agent();

/// Where puppet may be besides PATH: the vendor's packages bring their own place.
std::string puppet_path();

}  // namespace provisioner::automators
