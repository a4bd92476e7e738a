#include "provisioner/migrate/server/server_facts.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include "provisioner/connection/settings.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

std::string value_of(sql::Connection& connection, const std::string& query) {
    const auto row = queue::select(connection, query);
    return row->next() ? std::string(row->getString(1)) : "";
}

}  // namespace

ServerKind kind_of(sql::Connection& connection) {
    return kind_of_version(value_of(connection, "SELECT VERSION()"));
}

std::vector<std::string> tables_of(sql::Connection& connection, const std::string& database) {
    const std::unique_ptr<sql::PreparedStatement> statement(connection.prepareStatement(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = ? AND "
        "table_type = 'BASE TABLE' ORDER BY table_name"));
    statement->setString(1, database);
    const std::unique_ptr<sql::ResultSet> rows(statement->executeQuery());
    std::vector<std::string> names;
    while (rows->next()) names.push_back(std::string(rows->getString(1)));
    return names;
}

ServerFacts read_server_facts(const base::Config& config, base::Timestamp now) {
    const auto connection = queue::connect_to_server(config);
    ServerFacts facts;
    facts.version = value_of(*connection, "SELECT VERSION()");
    facts.account = value_of(*connection, "SELECT CURRENT_USER()");
    facts.client_characters = value_of(*connection, "SELECT @@character_set_client");
    facts.host = connection::settings_of(config).addresses.front().host;
    const auto variables = queue::select(*connection, "SHOW GLOBAL VARIABLES");
    while (variables->next()) {
        facts.variables[std::string(variables->getString(1))] = variables->getString(2);
    }
    const auto grants = queue::select(*connection, "SHOW GRANTS");
    while (grants->next()) facts.grants.push_back(std::string(grants->getString(1)));
    facts.tables = tables_of(*connection, config.get("database.name"));
    const auto cipher = queue::select(*connection, "SHOW STATUS LIKE 'Ssl_cipher'");
    if (cipher->next()) facts.cipher = cipher->getString(2);
    const long theirs = std::stol(value_of(*connection, "SELECT UNIX_TIMESTAMP()"));
    facts.clock_ahead =
        theirs - std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    return facts;
}

}  // namespace provisioner::migrate
