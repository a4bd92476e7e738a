#pragma once

#include <string>

namespace provisioner::automators {

/// run-chef on a node: one run of cinc-solo, or else of chef-solo. Its arguments are the file with
/// the attributes and the run list.
std::string run_chef_script();

/// The configuration that has cinc-solo look where chef-solo looks by itself.
std::string solo_configuration();

/// Installs Chef with its vendor's install script, in the version Coopr installed.
std::string install_chef_by_vendor();

/// Where chef-solo and cinc-solo may be besides PATH.
std::string chef_path();

}  // namespace provisioner::automators
