#pragma once

#include <string>
#include <vector>

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// The automator of that type; null if there is none. It lives as long as the program. The table is
/// in registry.cpp; nothing registers itself.
const Automator* find_automator(const std::string& type);

/// All automators, sorted by type name; never null.
std::vector<const Automator*> all_automators();

}  // namespace provisioner::automators
