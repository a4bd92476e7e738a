#pragma once

#include <vector>

#include "samples.hpp"

namespace samples {

/// The samples of the catalogue's editors and files. Part of all().
std::vector<Sample> of_catalogue();

}  // namespace samples
