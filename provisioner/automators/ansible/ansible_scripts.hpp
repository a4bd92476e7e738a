#pragma once

#include <string>

namespace provisioner::automators {

/// run-playbook on a node: ansible-playbook with the settings a run on the node itself wants. Its
/// first argument is a file for its log, the others are ansible-playbook's.
std::string run_playbook_script();

/// Installs ansible-core from PyPI into a virtual environment below the automator's directory.
std::string install_ansible_by_pip();

/// Where ansible-playbook may be besides PATH.
std::string ansible_path();

}  // namespace provisioner::automators
