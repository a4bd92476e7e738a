#pragma once

#include <chrono>
#include <functional>

#include "provisioner/base/log.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Call it once, before threads start.
void prepare_to_follow();

/// Brings users of identity providers in line with them: users of directories as the directory has
/// them now, users of OpenID Connect providers by the age of their last sign-in, because such
/// providers answer about nobody who is not there. A provider that does not answer changes nothing.
/// The daemon does it, so that sessions and keys of people who left end although nobody signs in.
/// Returns how many users changed. Any number of daemons may do it at once.
int follow_providers(store::Database& database, const base::Log& log, std::chrono::hours oldest,
                     base::Timestamp now, const std::function<bool()>& is_stopped);

}  // namespace provisioner::operations
