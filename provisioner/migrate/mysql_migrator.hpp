#pragma once

#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/migrate/migration.hpp"

namespace provisioner::migrate {

/// The files NNNN_what.sql of a folder; throws std::runtime_error when it cannot be read or a name
/// has no number.
std::vector<Migration> read_migrations(const std::string& folder);

/// Creates the database if it is missing and applies what is pending, one migrator at a time (a
/// named lock). Returns the names of the files applied. DDL commits by itself: a migration that
/// fails half-way stops there and says where.
std::vector<std::string> migrate(const base::Config& config,
                                 const std::vector<Migration>& migrations);

}  // namespace provisioner::migrate
