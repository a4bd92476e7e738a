#include "provisioner/queue/bulk.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

namespace provisioner::queue {

std::string repeated_row(std::string_view row, std::size_t count) {
    std::string text;
    text.reserve((row.size() + 2) * count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += ", ";
        text += row;
    }
    return text;
}

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
