#include "provisioner/migrate/mysql_migrator.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

constexpr auto create_table = R"sql(
    CREATE TABLE IF NOT EXISTS schema_migration (
      version    INT          NOT NULL PRIMARY KEY,
      name       VARCHAR(255) NOT NULL,
      checksum   CHAR(64)     NOT NULL COMMENT 'BLAKE2b-256 of the file',
      applied_at DATETIME(6)  NOT NULL
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
)sql";

constexpr auto insert_applied = R"sql(
    INSERT INTO schema_migration (version, name, checksum, applied_at)
    VALUES (?, ?, ?, UTC_TIMESTAMP(6))
)sql";

void run(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    runner->execute(statement);
}

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

void apply(sql::Connection& connection, const Migration& migration) {
    for (const std::string& statement : split_statements(migration.text)) {
        try {
            run(connection, statement);
        } catch (const sql::SQLException& error) {
            throw std::runtime_error(migration.name + ": " + error.what() + " in: " + statement);
        }
    }
    const std::unique_ptr<sql::PreparedStatement> insert(
        connection.prepareStatement(insert_applied));
    insert->setInt(1, migration.version);
    insert->setString(2, migration.name);
    insert->setString(3, identity::checksum(migration.text));
    insert->executeUpdate();
}

}  // namespace

std::vector<Migration> read_migrations(const std::string& folder) {
    std::vector<Migration> migrations;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".sql") continue;
        const std::string name = entry.path().filename();
        const auto number = base::parse_number(name.substr(0, name.find('_')));
        if (!number) throw std::runtime_error("not named NNNN_what.sql: " + name);
        std::ifstream file(entry.path());
        std::ostringstream text;
        text << file.rdbuf();
        migrations.push_back(
            {.version = static_cast<int>(*number), .name = name, .text = text.str()});
    }
    return migrations;
}

std::vector<std::string> migrate(const base::Config& config,
                                 const std::vector<Migration>& migrations) {
    {
        const auto server = queue::connect_to_server(config);
        run(*server, "CREATE DATABASE IF NOT EXISTS `" + config.get("database.name") +
                         "` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
    }
    const auto connection = queue::connect(config);
    take_lock(*connection);
    run(*connection, create_table);
    std::vector<std::string> names;
    for (const Migration& migration : pending(migrations, read_applied(*connection))) {
        apply(*connection, migration);
        names.push_back(migration.name);
    }
    return names;
}

}  // namespace provisioner::migrate
