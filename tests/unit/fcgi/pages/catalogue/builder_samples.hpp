#pragma once

#include <vector>

#include "samples.hpp"

namespace samples {

/// Pages of the editor of templates, of the history of the catalogue and of its import.
std::vector<Sample> of_builder();

}  // namespace samples
