#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/migrate/migration.hpp"

namespace sql {
class Connection;
}

namespace provisioner::migrate {

/// What the server has just confirmed for a file.
enum class Step {
    /// The statement comes next; table schema_progress says so.
    noted,
    /// The statement took effect. Rows it changed are not committed yet.
    executed,
    /// Rows the statement changed are committed, together with the note of it.
    committed,
    /// The file counts as applied.
    applied,
};

/// How far the run of a file is.
struct Moment {
    std::string file;
    /// The statement, from 1; after the last one with `applied`.
    std::size_t statement = 0;
    std::size_t statements = 0;
    Step step = Step::noted;
};

/// Is told every step. What it throws ends the run as a lost connection would.
using Watch = std::function<void(const Moment&)>;

/// Runs files so that they may be interrupted anywhere and continue where they were: the program or
/// the server is killed, or the connection lost, before, in or after any statement.
///
/// Table schema_progress has a row for a file that was begun and not finished: `done` statements
/// took effect, and of the others at most the next. What happened to the next:
///
/// * A statement that changes rows and the note of it are one transaction: it took no effect.
/// * A statement that changes the definition of a table commits by itself, whole or not at all
///   (atomic DDL: MariaDB 10.6, MySQL 8.0). So before it the row keeps a checksum of the table's
///   definition. The same definition now: it took no effect, or has none, and is run. Another one:
///   it took effect, and is not run again.
///
/// So nobody else may change tables meanwhile; the migrator's lock keeps out another migrator, and
/// a statement of a lost connection that is still at work keeps that lock.
class Progress {
 public:
    /// Needs the lock of mysql_migrator.cpp. Creates schema_progress. `connection` must outlive it.
    Progress(sql::Connection& connection, Watch watch);

    /// The file that was begun and not finished; empty when there is none.
    std::string unfinished() const;

    /// Runs the statements of `text` that were not run yet, and notes `applied` as applied in the
    /// transaction that forgets the progress. Throws std::runtime_error naming file and statement;
    /// also when the text has changed since the file was begun, before anything is run.
    void run(const std::string& file, const std::string& text,
             const std::vector<Migration>& applied);

 private:
    /// Statements that took effect, the one under way when a run was interrupted included. Begins
    /// the file when it was not begun.
    std::size_t statements_done(const std::string& file, const std::string& text,
                                const std::vector<std::string>& statements);
    /// Runs one statement; `at` counts from 0.
    void run_statement(Moment& moment, const std::string& statement);
    /// Notes how many statements took effect, and the checksum of `table` before the next.
    void note(const std::string& file, std::size_t done, const std::string& table_before);
    /// Checksum of a table's definition; of "" for a table that is not there.
    std::string checksum_of(const std::string& table) const;
    void tell(Moment& moment, Step step) const;

    sql::Connection& connection_;
    Watch watch_;
};

}  // namespace provisioner::migrate
