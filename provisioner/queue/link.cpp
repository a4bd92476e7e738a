#include "provisioner/queue/link.hpp"

#include <cppconn/connection.h>
#include <cppconn/driver.h>
#include <cppconn/statement.h>
#include <mysql_driver.h>

#include <algorithm>

namespace provisioner::queue {

namespace {

sql::ConnectOptionsMap options_from(const base::Config& config, std::chrono::seconds limit) {
    sql::ConnectOptionsMap options;
    if (const std::string socket = config.get_or("database.socket", ""); !socket.empty()) {
        options["hostName"] = sql::SQLString("unix://" + socket);
    } else {
        options["hostName"] =
            sql::SQLString("tcp://" + config.get("database.host") + ":" +
                           std::to_string(config.number_or("database.port", 3306)));
    }
    options["userName"] = sql::SQLString(config.get("database.user"));
    options["password"] = sql::SQLString(config.get_or("database.password", ""));
    options["OPT_CHARSET_NAME"] = sql::SQLString("utf8mb4");
    options["OPT_CONNECT_TIMEOUT"] = static_cast<int>(std::clamp<long>(limit.count(), 1, 5));
    options["OPT_READ_TIMEOUT"] = static_cast<int>(limit.count());
    options["OPT_WRITE_TIMEOUT"] = static_cast<int>(limit.count());
    return options;
}

// get_driver_instance() is not safe from several threads: in a race it may destroy a driver that
// another thread has received. A static local is initialised by one thread only.
sql::Driver& driver() {
    static sql::Driver* const only = sql::mysql::get_driver_instance();
    return *only;
}

std::unique_ptr<sql::Connection> open(sql::ConnectOptionsMap& options, std::chrono::seconds limit) {
    std::unique_ptr<sql::Connection> connection(driver().connect(options));
    const std::unique_ptr<sql::Statement> statement(connection->createStatement());
    // A daemon that is stopped in the middle of a transaction must not hold its locks for long.
    // MySQL has no such setting; there the locks stay until the server notices the lost client.
    statement->execute(
        "SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', "
        "innodb_lock_wait_timeout = " +
        std::to_string(std::clamp<long>(limit.count() / 2, 1, 10)) +
        " /*M!100300 , idle_transaction_timeout = 20 */");
    connection->setTransactionIsolation(sql::TRANSACTION_READ_COMMITTED);
    return connection;
}

}  // namespace

std::unique_ptr<sql::Connection> connect(const base::Config& config, std::chrono::seconds limit) {
    sql::ConnectOptionsMap options = options_from(config, limit);
    options["schema"] = sql::SQLString(config.get("database.name"));
    return open(options, limit);
}

std::unique_ptr<sql::Connection> connect_to_server(const base::Config& config) {
    sql::ConnectOptionsMap options = options_from(config, statement_limit);
    return open(options, statement_limit);
}

}  // namespace provisioner::queue
