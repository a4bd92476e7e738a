#pragma once

#include <memory>
#include <vector>

#include "provisioner/providers/cloud/calls.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers {

/// The table of clouds: a provider for each, ready to be registered. `tools` must outlive them.
std::vector<std::unique_ptr<Provider>> all_clouds(cloud::Tools tools);

}  // namespace provisioner::providers
