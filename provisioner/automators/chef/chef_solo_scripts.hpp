#pragma once

#include <string>

namespace provisioner::automators {

/// The script run-chef on a node: one run of cinc-solo, or of chef-solo if there is none. Its
/// arguments are the file with the attributes and the run list.
std::string run_chef_script();

/// The configuration file that makes cinc-solo use chef-solo's default directories.
std::string solo_configuration();

/// Script that installs Chef 12.21.3, the version of Coopr, with the vendor's install script. Needs
/// the network.
std::string install_chef_by_vendor();

/// Directories besides PATH that may hold the programs, separated by colons.
std::string chef_path();

}  // namespace provisioner::automators
