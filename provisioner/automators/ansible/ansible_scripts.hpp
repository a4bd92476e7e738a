#pragma once

#include <string>

namespace provisioner::automators {

/// The script run-playbook on a node: ansible-playbook with the settings for a run on the node
/// itself. Its first argument is a file for the log; the others go to ansible-playbook. It fails if
/// no play is for this node, which Ansible counts as success. The last line on standard error is
/// the reason of a failure.
std::string run_playbook_script();

/// Script that installs ansible-core from PyPI into a virtual environment below the automator's
/// directory. Does nothing without python3.
std::string install_ansible_by_pip();

/// Directories besides PATH that may hold ansible-playbook, separated by colons.
std::string ansible_path();

}  // namespace provisioner::automators
