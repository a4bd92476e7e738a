#pragma once

#include <string>
#include <vector>

namespace provisioner::migrate {

/// One file of sql/migrations. Migrations only go forward: one that was applied must never change.
struct Migration {
    /// The number the file's name begins with; the order of migrations.
    int version = 0;
    /// The file's name, for example "0001_initial.sql".
    std::string name;
    /// The whole file.
    std::string text;
};

/// The schema of an installation in both forms. A test keeps them equal.
struct SchemaFiles {
    /// In any order.
    std::vector<Migration> migrations;
    /// sql/schema.sql, the result of all migrations, for new databases; empty: unknown, so that new
    /// databases run every migration.
    std::string whole;
};

/// A row of schema_migration: a file that the database has run.
struct Applied {
    int version = 0;
    std::string name;
    /// identity::checksum of the file's text when it was applied.
    std::string checksum;
};

/// The statements of an SQL text, split at ';' outside quotes and comments, trimmed, without empty
/// ones. Connector/C++ cannot run several at once. `--` begins a comment anywhere outside quotes,
/// up to the end of the line; comments are dropped. Comments with # or /* and DELIMITER are not
/// known. Throws std::runtime_error for a text that ends inside quotes.
std::vector<std::string> split_statements(const std::string& text);

/// The migrations still to run, in order of their numbers. Pure. Throws std::runtime_error naming
/// the file in three cases: an applied one is missing or has changed; two have the same number; a
/// pending one has a lower number than the newest applied one, so its effect would be unknown.
std::vector<Migration> pending(std::vector<Migration> files, const std::vector<Applied>& applied);

}  // namespace provisioner::migrate
