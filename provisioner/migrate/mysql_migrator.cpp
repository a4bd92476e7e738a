#include "provisioner/migrate/mysql_migrator.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <filesystem>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/migrate/files.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

/// Limit of one statement: an ALTER may rebuild a table of millions of rows.
constexpr std::chrono::seconds migration_limit = std::chrono::hours{24};

constexpr auto create_table = R"sql(
    CREATE TABLE IF NOT EXISTS schema_migration (
      version    INT          NOT NULL PRIMARY KEY,
      name       VARCHAR(255) NOT NULL,
      checksum   CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the file',
      applied_at DATETIME(6)  NOT NULL
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
)sql";

constexpr auto count_tables = R"sql(
    SELECT COUNT(*) FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name <> 'schema_migration'
)sql";

constexpr auto insert_applied = R"sql(
    INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES
)sql";

void run(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    runner->execute(statement);
}

// The lock belongs to the connection, so it ends with it, however the process ends. DDL would
// release row locks and transactions, but not this one.
void take_lock(sql::Connection& connection) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    const std::unique_ptr<sql::ResultSet> row(
        runner->executeQuery("SELECT GET_LOCK('cooperage-migrate', 60)"));
    if (!row->next() || row->getInt(1) != 1) {
        throw std::runtime_error("another cooperage-migrate has been running for a minute");
    }
}

std::vector<Applied> read_applied(sql::Connection& connection) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    const std::unique_ptr<sql::ResultSet> row(runner->executeQuery(
        "SELECT version, name, checksum FROM schema_migration ORDER BY version LIMIT 10000"));
    std::vector<Applied> applied;
    while (row->next()) {
        applied.push_back({.version = row->getInt("version"),
                           .name = std::string(row->getString("name")),
                           .checksum = std::string(row->getString("checksum"))});
    }
    return applied;
}

bool is_empty(sql::Connection& connection) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    const std::unique_ptr<sql::ResultSet> row(runner->executeQuery(count_tables));
    row->next();
    return row->getInt(1) == 0;
}

void run_all(sql::Connection& connection, const std::string& file, const std::string& text,
             const std::string& hint = "") {
    for (const std::string& statement : split_statements(text)) {
        try {
            run(connection, statement);
        } catch (const sql::SQLException& error) {
            throw std::runtime_error(file + ": " + error.what() + hint + " in: " + statement);
        }
    }
}

// One statement, so that an interruption leaves all rows or none: a schema counted in part would be
// migrated again from the middle.
void note_applied(sql::Connection& connection, const std::vector<Migration>& migrations) {
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

SchemaFiles read_schema(const std::string& folder) {
    SchemaFiles files{.migrations = {}, .whole = read_file(folder + "/schema.sql")};
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/migrations")) {
        if (entry.path().extension() != ".sql") continue;
        const std::string name = entry.path().filename();
        const auto number = base::parse_number(name.substr(0, name.find('_')));
        if (!number) throw std::runtime_error("not named NNNN_what.sql: " + name);
        files.migrations.push_back(
            {.version = static_cast<int>(*number), .name = name, .text = read_file(entry.path())});
    }
    return files;
}

// Before: anything. After: schema_migration has a row for each file, and the tables are those of
// schema.sql. What was applied is read under the lock; read before it, two migrators would both
// apply the same file. Each file is noted after its last statement, so a file that was interrupted
// runs again from its beginning: it fails where a statement cannot be repeated, and a person
// decides.
std::vector<std::string> migrate(const base::Config& config, const SchemaFiles& files) {
    {
        const auto server = queue::connect_to_server(config);
        run(*server, "CREATE DATABASE IF NOT EXISTS `" + config.get("database.name") +
                         "` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
    }
    const auto connection = queue::connect(config, migration_limit);
    take_lock(*connection);
    run(*connection, create_table);
    const auto applied = read_applied(*connection);
    const auto missing = pending(files.migrations, applied);
    if (applied.empty() && !missing.empty() && !files.whole.empty() && is_empty(*connection)) {
        run_all(*connection, "schema.sql", files.whole);
        note_applied(*connection, missing);
        return {"schema.sql"};
    }
    const std::string hint =
        applied.empty() ? " (the database had tables before: if they are what an interrupted `up` "
                          "left, drop the database and begin again)"
                        : "";
    std::vector<std::string> names;
    for (const Migration& migration : missing) {
        run_all(*connection, migration.name, migration.text, hint);
        note_applied(*connection, {migration});
        names.push_back(migration.name);
    }
    return names;
}

}  // namespace provisioner::migrate
