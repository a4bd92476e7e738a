#pragma once

#include <optional>
#include <string>

#include "provisioner/macros/macro.hpp"

namespace provisioner::macros {

/// The text a macro stands for; nothing when it has no value (a service that is not on the cluster,
/// no self).
using Evaluated = base::expected<std::optional<std::string>, MacroError>;
Evaluated evaluate(const Macro& macro, const MacroContext& context);

/// Whether its value differs from node to node.
bool speaks_of_self(const Macro& macro);

/// `value` in a format of map(): '$' becomes the value, "$$" one '$'.
std::string formatted(std::string_view value, std::string_view format);

}  // namespace provisioner::macros
