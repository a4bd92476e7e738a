#pragma once

#include <string>

namespace provisioner::automators {

/// lib/wrapper.sh on the node: `wrapper.sh <task json> <script> [argument...]` sources a shell
/// script of the current directory, runs any other file, or runs the word as a command; it exits as
/// that did. Offers coopr_lookup_key.
std::string wrapper_script();

/// lib/coopr_lookup_key on the node: prints the value of a slash-separated key from the table
/// beside the task's JSON
/// ($COOPERAGE_TASK_VALUES, see document_values.hpp); "key not found" or "non-unique key, multiple
/// matches found" on standard error and status 1. POSIX sh only: a node need not have anything
/// else.
std::string lookup_script();

}  // namespace provisioner::automators
