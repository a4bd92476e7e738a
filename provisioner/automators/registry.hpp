#pragma once

#include <string>
#include <vector>

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// The automator of that type; null when there is none. The table of all of them is in
/// registry.cpp.
const Automator* find_automator(const std::string& type);

/// Every automator there is.
std::vector<const Automator*> all_automators();

}  // namespace provisioner::automators
