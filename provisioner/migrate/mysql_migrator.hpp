#pragma once

#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/migrate/migration.hpp"

namespace provisioner::migrate {

/// The files migrations/NNNN_what.sql of a folder, and its schema.sql; throws std::runtime_error
/// when they cannot be read or a name has no number.
SchemaFiles read_schema(const std::string& folder);

/// Creates the database if it is missing and applies what is pending, one migrator at a time (a
/// named lock). A database without any table gets the whole schema at once, and counts as one that
/// has run every migration. Returns the names of the files applied. DDL commits by itself: a file
/// that fails half-way stops there and says where.
std::vector<std::string> migrate(const base::Config& config, const SchemaFiles& files);

}  // namespace provisioner::migrate
