#include "provisioner/queue/bulk.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include "provisioner/statements/sent_twice.hpp"

namespace provisioner::queue {

int execute(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    const int changed = runner->executeUpdate(statement);
    const bool again = changed == 0 && statements::is_sent_twice(statement);
    return again ? runner->executeUpdate(statement) : changed;
}

void execute_with(sql::Connection& connection, const std::string& statement,
                  const std::string& text) {
    const std::unique_ptr<sql::PreparedStatement> prepared(connection.prepareStatement(statement));
    prepared->setString(1, text);
    const int changed = prepared->executeUpdate();
    if (changed == 0 && statements::is_sent_twice(statement)) prepared->executeUpdate();
}

int execute_deletion(sql::PreparedStatement& deletion) {
    const int deleted = deletion.executeUpdate();
    return deleted == 0 ? deletion.executeUpdate() : deleted;
}

std::unique_ptr<sql::ResultSet> select(sql::Connection& connection, const std::string& query) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    std::unique_ptr<sql::ResultSet> rows(runner->executeQuery(query));
    if (rows->rowsCount() > 0) return rows;
    rows.reset();
    return std::unique_ptr<sql::ResultSet>(runner->executeQuery(query));
}

std::unique_ptr<sql::ResultSet> select(sql::PreparedStatement& query) {
    std::unique_ptr<sql::ResultSet> rows(query.executeQuery());
    if (rows->rowsCount() > 0) return rows;
    rows.reset();
    return std::unique_ptr<sql::ResultSet>(query.executeQuery());
}

}  // namespace provisioner::queue
