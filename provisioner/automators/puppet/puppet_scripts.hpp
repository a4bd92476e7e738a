#pragma once

#include <string>

namespace provisioner::automators {

/// The script apply-manifest on a node: `puppet apply` with the files of the workspace that is its
/// first argument; the others go to puppet. Exit code 0 covers runs with changes. After a failure
/// the last line on standard error is the last error of the log.
std::string apply_manifest_script();

/// Script that stops and disables the agent that packages start: it would look for a server.
std::string stop_agent();

/// Directories besides PATH that may hold puppet, separated by colons: the vendor's packages use
/// one of their own.
std::string puppet_path();

}  // namespace provisioner::automators
