#pragma once

#include <string>

namespace provisioner::automators {

/// The script lib/wrapper.sh on a node, called as `wrapper.sh <task json> <script> [argument...]`.
/// It sources a shell script of the current directory, runs any other file, or runs the word as a
/// command. Its exit status is that of the script. It defines coopr_lookup_key.
std::string wrapper_script();

/// The script lib/coopr_lookup_key on a node: prints the value of a slash-separated key, an array
/// one element to a line. It reads the table beside the task's JSON ($COOPERAGE_TASK_VALUES, see
/// document_values.hpp). Otherwise it prints "key not found" or "non-unique key, multiple matches
/// found" on standard error and ends with status 1. POSIX sh only: a node need not have anything
/// else.
std::string lookup_script();

}  // namespace provisioner::automators
