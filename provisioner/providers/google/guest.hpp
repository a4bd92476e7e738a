#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/google/disks.hpp"

namespace provisioner::providers::google {

/// Members of the cloud-config that format data disks (ext4, only without a file system) and mount
/// them. Source: https://cloudinit.readthedocs.io/en/latest/reference/modules.html#disk-setup.
base::Json disk_config(const std::vector<Disk>& disks);

/// The same and the hostname as a script for images with Google's guest agent, which runs it as
/// root at every boot. Harmless to repeat.
std::string startup_script(const std::vector<Disk>& disks, const std::string& hostname);

/// The ed25519 host key among guest attributes, "ssh-ed25519 AAAA..."; empty when there is none.
/// The guest agent writes it there when the machine boots.
std::string host_key_in(const base::Json& guest_attributes);

}  // namespace provisioner::providers::google
