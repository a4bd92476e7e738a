#pragma once

#include "provisioner/base/log.hpp"
#include "provisioner/privileges/call_filter.hpp"

namespace provisioner::privileges {

/// Throws std::runtime_error that says what to do when the process runs as root, unless
/// `is_allowed` (the flag --allow-root). For programs that need no rights of root.
void refuse_root(bool is_allowed);

/// Gives up for good what the program never needs. Its children and threads inherit that, so it is
/// called first in main(), before any thread starts.
///
/// no_new_privs: no set-user-ID program gives more rights. The bounding, ambient and inheritable
/// capabilities are emptied; a user other than root also loses all capabilities at hand. Calls of
/// the kernel in denied_calls() fail with EPERM.
///
/// Logs `privileges.dropped` once. A kernel without filters of calls is a warning
/// (`privileges.not_filtered`); the rest holds all the same. Throws std::runtime_error if
/// no_new_privs or the capabilities cannot be set.
void drop(Profile profile, const base::Log& log);

}  // namespace provisioner::privileges
