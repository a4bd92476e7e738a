#pragma once

#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/migrate/migration.hpp"

namespace provisioner::migrate {

/// Reads migrations/NNNN_what.sql and schema.sql below `folder`, normally the repository's sql/.
/// The migrations are in no order; other files are ignored. Throws std::runtime_error, or
/// std::filesystem::filesystem_error, when they cannot be read or a name has no number.
SchemaFiles read_schema(const std::string& folder);

/// Creates the database if it is missing and applies all pending migrations. Returns the names of
/// the files applied, in order; empty when the schema was up to date.
///
/// A database without tables gets schema.sql at once and counts as having run every migration. One
/// migrator at a time, by a named lock of the server that is waited for up to 60 s. DDL commits by
/// itself, so a file that fails half-way is not undone: its first statements stay, and it is not
/// noted as applied. May take hours for large tables. Throws std::runtime_error naming file and
/// statement, and sql::SQLException when the server cannot be reached.
std::vector<std::string> migrate(const base::Config& config, const SchemaFiles& files);

}  // namespace provisioner::migrate
