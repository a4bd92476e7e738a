#include "provisioner/queue/bulk.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

namespace provisioner::queue {

int execute(sql::Connection& connection, const std::string& statement) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    return runner->executeUpdate(statement);
}

void execute_with(sql::Connection& connection, const std::string& statement,
                  const std::string& text) {
    const std::unique_ptr<sql::PreparedStatement> prepared(connection.prepareStatement(statement));
    prepared->setString(1, text);
    prepared->executeUpdate();
}

std::unique_ptr<sql::ResultSet> select(sql::Connection& connection, const std::string& query) {
    const std::unique_ptr<sql::Statement> runner(connection.createStatement());
    return std::unique_ptr<sql::ResultSet>(runner->executeQuery(query));
}

}  // namespace provisioner::queue
