#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// What the seed has made, whether or not it is still there.

/// The id of what the seed made: `kind` is "tenant", "user" or "key" (of the user `name`). Nothing
/// if it never did; 0 if that is not known any more.
std::optional<std::int64_t> find_seeded(Connection& connection, const std::string& kind,
                                        const std::string& tenant, const std::string& name);

/// Records what the seed made, in place of what it made before.
void record_seeded(Connection& connection, const std::string& kind, const std::string& tenant,
                   const std::string& name, std::int64_t id);

}  // namespace provisioner::store
