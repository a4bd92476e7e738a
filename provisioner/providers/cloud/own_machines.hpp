#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::cloud {

// Which machines of an account's listing are a node's.

/// Whether the machine is still something: false once the cloud only remembers it.
bool is_there(const CloudMachine& machine);

/// Machines of the node, the one to keep first: what runs before what boots, what failed last; then
/// by the task it was made for. None twice, even if the listing has it twice.
std::vector<CloudMachine> machines_of(const std::vector<CloudMachine>& all,
                                      const MachineSpec& spec);

/// The machine of that id, else one of that name that is there; null without one.
const CloudMachine* find_machine(const std::vector<CloudMachine>& all, const std::string& id,
                                 const std::string& name);

/// Whether a task after that of `spec` made the machine, so that this task must leave it alone.
bool is_made_for_later(const CloudMachine& machine, const MachineSpec& spec);

}  // namespace provisioner::providers::cloud
