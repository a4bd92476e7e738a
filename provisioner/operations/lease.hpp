#pragma once

#include <chrono>
#include <optional>

#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

/// The lease of a new cluster; zero is for ever. `asked` nothing: the template's `initial`. Refused
/// when `asked` is negative, or longer than `initial` (zero counts as longest) unless `initial` is
/// zero.
Result<std::chrono::milliseconds> initial_lease(std::optional<std::chrono::milliseconds> asked,
                                                std::chrono::milliseconds initial);

}  // namespace provisioner::operations
