#include "provisioner/migrate/progress.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <stdexcept>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/migrate/effect.hpp"
#include "provisioner/queue/bulk.hpp"

namespace provisioner::migrate {

namespace {

constexpr auto create_progress = R"sql(
    CREATE TABLE IF NOT EXISTS schema_progress (
      file         VARCHAR(255) NOT NULL PRIMARY KEY,
      checksum     CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the file',
      done         INT          NOT NULL COMMENT 'statements that took effect',
      table_before CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the definition that the next one changes'
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
)sql";

constexpr auto insert_progress = R"sql(
    INSERT INTO schema_progress (file, checksum, done, table_before) VALUES (?, ?, 0, '')
)sql";

constexpr auto insert_applied = R"sql(
    INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES
)sql";

constexpr int no_such_table = 1146;

/// A row of schema_progress.
struct Begun {
    std::string checksum;
    std::size_t done = 0;
    std::string table_before;
};

// A locking read: a transaction of a lost connection is waited for until it is committed or undone.
std::optional<Begun> read_begun(sql::Connection& connection, const std::string& file) {
    const std::unique_ptr<sql::PreparedStatement> select(connection.prepareStatement(
        "SELECT checksum, done, table_before FROM schema_progress WHERE file = ? FOR UPDATE"));
    select->setString(1, file);
    const std::unique_ptr<sql::ResultSet> row(select->executeQuery());
    if (!row->next()) return std::nullopt;
    return Begun{.checksum = std::string(row->getString("checksum")),
                 .done = static_cast<std::size_t>(row->getInt("done")),
                 .table_before = std::string(row->getString("table_before"))};
}

void note_applied(sql::Connection& connection, const std::vector<Migration>& migrations) {
    if (migrations.empty()) return;
    const std::unique_ptr<sql::PreparedStatement> insert(connection.prepareStatement(
        insert_applied + queue::repeated("(?, ?, ?, UTC_TIMESTAMP(6))", migrations.size())));
    unsigned place = 0;
    for (const Migration& migration : migrations) {
        insert->setInt(++place, migration.version);
        insert->setString(++place, migration.name);
        insert->setString(++place, identity::checksum(migration.text));
    }
    insert->executeUpdate();
}

}  // namespace

Progress::Progress(sql::Connection& connection, Watch watch)
    : connection_(connection), watch_(std::move(watch)) {
    queue::execute(connection_, create_progress);
}

std::string Progress::unfinished() const {
    const auto row = queue::select(connection_, "SELECT file FROM schema_progress LIMIT 1");
    return row->next() ? std::string(row->getString("file")) : "";
}

void Progress::run(const std::string& file, const std::string& text,
                   const std::vector<Migration>& applied) {
    const auto statements = split_statements(text);
    Moment moment{.file = file, .statements = statements.size()};
    for (std::size_t at = statements_done(file, text, statements); at < statements.size(); ++at) {
        moment.statement = at + 1;
        try {
            run_statement(moment, statements[at]);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(file + ": " + error.what() + " in: " + statements[at]);
        }
    }
    queue::execute(connection_, "START TRANSACTION");
    note_applied(connection_, applied);
    queue::execute_with(connection_, "DELETE FROM schema_progress WHERE file = ?", file);
    queue::execute(connection_, "COMMIT");
    moment.statement = statements.size() + 1;
    tell(moment, Step::applied);
}

std::size_t Progress::statements_done(const std::string& file, const std::string& text,
                                      const std::vector<std::string>& statements) {
    const std::string checksum = identity::checksum(text);
    const auto begun = read_begun(connection_, file);
    if (!begun) {
        const std::unique_ptr<sql::PreparedStatement> insert(
            connection_.prepareStatement(insert_progress));
        insert->setString(1, file);
        insert->setString(2, checksum);
        insert->executeUpdate();
        return 0;
    }
    if (begun->checksum != checksum) {
        throw std::runtime_error(file +
                                 " was interrupted and has changed since: finish it with the "
                                 "version of the program that began it");
    }
    if (begun->done >= statements.size()) return statements.size();
    const Effect effect = effect_of(statements[begun->done]);
    const bool took_effect = !effect.changes_rows() && !begun->table_before.empty() &&
                             begun->table_before != checksum_of(effect.table);
    return begun->done + (took_effect ? 1 : 0);
}

void Progress::run_statement(Moment& moment, const std::string& statement) {
    const Effect effect = effect_of(statement);
    if (effect.changes_rows()) {
        queue::execute(connection_, "START TRANSACTION");
        queue::execute(connection_, statement);
        tell(moment, Step::executed);
        note(moment.file, moment.statement, "");
        tell(moment, Step::noted);
        queue::execute(connection_, "COMMIT");
        tell(moment, Step::committed);
        return;
    }
    note(moment.file, moment.statement - 1, checksum_of(effect.table));
    tell(moment, Step::noted);
    queue::execute(connection_, statement);
    tell(moment, Step::executed);
}

void Progress::note(const std::string& file, std::size_t done, const std::string& table_before) {
    const std::unique_ptr<sql::PreparedStatement> update(connection_.prepareStatement(
        "UPDATE schema_progress SET done = ?, table_before = ? WHERE file = ?"));
    update->setUInt64(1, done);
    update->setString(2, table_before);
    update->setString(3, file);
    update->executeUpdate();
}

std::string Progress::checksum_of(const std::string& table) const {
    try {
        const auto row = queue::select(connection_, "SHOW CREATE TABLE `" + table + "`");
        row->next();
        return identity::checksum(without_counter(std::string(row->getString(2))));
    } catch (const sql::SQLException& error) {
        if (error.getErrorCode() != no_such_table) throw;
        return identity::checksum("");
    }
}

void Progress::tell(Moment& moment, Step step) const {
    moment.step = step;
    if (watch_) watch_(moment);
}

}  // namespace provisioner::migrate
