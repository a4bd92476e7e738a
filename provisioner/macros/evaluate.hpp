#pragma once

#include <optional>
#include <string>

#include "provisioner/macros/macro.hpp"

namespace provisioner::macros {

/// The text a macro stands for, or nothing when it has no value, or an error.
///
/// * No value: a self subject without a self; host.self without a hostname; instance.self on a node
///   without the service; host or ip of a service that no node has, unless indexed.
/// * Error: an index beyond the nodes of the service; a listed node, or self, without the address
///   that is asked for; a listed node without a hostname; a text longer than context.longest.
/// * An indexed node without hostname or address gives the text "null" (wire contract).
using Evaluated = base::expected<std::optional<std::string>, MacroError>;
/// Evaluates one macro against the nodes of `context`. Lists go by ascending nodenum, whatever the
/// order of the nodes. map() applies to each value, then join() joins them. The error lacks `macro`
/// and `place`, which the caller adds. O(n log n) for n nodes.
Evaluated evaluate(const Macro& macro, const MacroContext& context);

/// Whether the value depends on the node of the task (host.self, ip.self, instance.self.service.S).
/// If not, it is the same on all nodes and may be memoised.
bool speaks_of_self(const Macro& macro);

/// Applies a format of map(): each '$' becomes `value`, each "$$" one '$'.
std::string formatted(std::string_view value, std::string_view format);

/// The size of that text, without making it.
std::size_t formatted_size(std::string_view value, std::string_view format);

/// The error of a text that would be longer than `longest` bytes.
base::unexpected<MacroError> too_long(std::size_t longest);

}  // namespace provisioner::macros
