#include "provisioner/migrate/mysql_migrator.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <filesystem>

#include "provisioner/base/ids.hpp"
#include "provisioner/migrate/files.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

/// What schema_progress calls sql/schema.sql.
constexpr auto whole_schema = "schema.sql";

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
    WHERE table_schema = DATABASE() AND table_name NOT IN ('schema_migration', 'schema_progress')
)sql";

void run(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    runner->execute(statement);
}

bool is_empty(sql::Connection& connection) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    const std::unique_ptr<sql::ResultSet> row(runner->executeQuery(count_tables));
    row->next();
    return row->getInt(1) == 0;
}

// The statements of any other file would run between those of the unfinished one.
void check_unfinished(const std::string& unfinished, const std::vector<Migration>& missing) {
    if (unfinished.empty() || (!missing.empty() && missing.front().name == unfinished)) return;
    if (unfinished == "restore") {
        throw std::runtime_error(
            "a restore was interrupted: run `cooperage-migrate restore` again");
    }
    throw std::runtime_error(unfinished +
                             " was interrupted and is not the next file: finish it with the "
                             "version of the program that began it");
}

}  // namespace

void create_database(const base::Config& config) {
    const auto server = queue::connect_to_server(config);
    run(*server, "CREATE DATABASE IF NOT EXISTS `" + config.get("database.name") +
                     "` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
}

// The lock belongs to the connection, so it ends with it, however the process ends. DDL would
// release row locks and transactions, but not this one.
void take_migration_lock(sql::Connection& connection) {
    // The connection stands still while tools of the server dump or load; a week at most.
    run(connection, "SET SESSION wait_timeout = 604800");
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    const std::unique_ptr<sql::ResultSet> row(
        runner->executeQuery("SELECT GET_LOCK('cooperage-migrate', 60)"));
    if (!row->next() || row->getInt(1) != 1) {
        throw std::runtime_error(
            "another cooperage-migrate has been running for a minute, "
            "or a statement of one that was interrupted is still at work");
    }
}

std::vector<Applied> read_applied(sql::Connection& connection) {
    run(connection, create_table);
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

bool is_interrupted(sql::Connection& connection) {
    return !Progress(connection, {}).unfinished().empty();
}

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
// apply the same file. A run that was interrupted continues with its file (progress.hpp), so
// schema.sql is taken for an empty database and for one that it was begun in.
std::vector<std::string> migrate(const base::Config& config, const SchemaFiles& files,
                                 const Watch& watch) {
    create_database(config);
    const auto connection = queue::connect(config, migration_limit);
    take_migration_lock(*connection);
    Progress progress(*connection, watch);
    const auto applied = read_applied(*connection);
    const auto missing = pending(files.migrations, applied);
    const bool is_new = applied.empty() && is_empty(*connection);
    const bool is_begun = progress.unfinished() == whole_schema;
    // An interrupted restore looks empty, too.
    if (!is_begun) check_unfinished(progress.unfinished(), missing);
    if ((is_new || is_begun) && !missing.empty() && !files.whole.empty()) {
        progress.run(whole_schema, files.whole, missing);
        return {whole_schema};
    }
    std::vector<std::string> names;
    for (const Migration& migration : missing) {
        progress.run(migration.name, migration.text, {migration});
        names.push_back(migration.name);
    }
    return names;
}

}  // namespace provisioner::migrate
