#pragma once

#include <string>

namespace provisioner::migrate {

/// What one statement of a migration changes. The server ends a transaction before it changes a
/// table's definition, so both kinds are run in different ways (progress.hpp).
struct Effect {
    /// The one table whose definition changes; empty: the statement changes rows only.
    std::string table = {};

    bool changes_rows() const { return table.empty(); }
};

/// Reads the effect from the first words of a statement of split_statements. Migrations consist of
/// CREATE TABLE, ALTER TABLE and DROP TABLE of one table, INSERT, UPDATE, DELETE and REPLACE.
/// Throws std::runtime_error for any other statement: nobody could tell whether an interrupted one
/// took effect. Pure.
Effect effect_of(const std::string& statement);

/// The text of SHOW CREATE TABLE without the next AUTO_INCREMENT number, which rows change. Pure.
std::string without_counter(const std::string& definition);

}  // namespace provisioner::migrate
