#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/migrate/migration.hpp"
#include "provisioner/migrate/progress.hpp"

namespace provisioner::migrate {

/// Reads migrations/NNNN_what.sql and schema.sql below `folder`, normally the repository's sql/.
/// The migrations are in no order; other files are ignored. Throws std::runtime_error, or
/// std::filesystem::filesystem_error, when they cannot be read or a name has no number.
SchemaFiles read_schema(const std::string& folder);

/// Limit of one statement: an ALTER may rebuild a table of millions of rows.
constexpr std::chrono::seconds migration_limit = std::chrono::hours{24};

/// Creates the database if it is missing.
void create_database(const base::Config& config);

/// Takes the lock of one migrator at a time, which the connection holds to its end. Throws
/// std::runtime_error after 60 s.
void take_migration_lock(sql::Connection& connection);

/// The migrations that the connection's database has run, by version; none without a schema.
std::vector<Applied> read_applied(sql::Connection& connection);

/// Whether a migration or a restore was begun and not finished. Creates schema_progress.
bool is_interrupted(sql::Connection& connection);

/// Creates the database if it is missing and applies all pending migrations. Returns the names of
/// the files applied, in order; empty when the schema was up to date.
///
/// A database without tables gets schema.sql at once and counts as having run every migration. One
/// migrator at a time, by a named lock of the server that is waited for up to 60 s. May be
/// interrupted anywhere, by kill -9 too, and run again: it goes on with the statement it had come
/// to (progress.hpp). What failed before keeps its effect. May take hours for large tables. `watch`
/// is told every step. Throws std::runtime_error naming file and statement, and sql::SQLException
/// when the server cannot be reached.
std::vector<std::string> migrate(const base::Config& config, const SchemaFiles& files,
                                 const Watch& watch = {});

}  // namespace provisioner::migrate
