#include "provisioner/queue/link.hpp"

#include <cppconn/connection.h>
#include <cppconn/driver.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>
#include <mysql_driver.h>

#include <algorithm>
#include <optional>

#include "provisioner/connection/options_file.hpp"
#include "provisioner/connection/order.hpp"
#include "provisioner/connection/settings.hpp"
#include "provisioner/statements/optimizer.hpp"

namespace provisioner::queue {

namespace {

/// The error number for a server that is not what the settings ask for: that of a read-only one.
constexpr int server_is_refused = 1290;

sql::ConnectOptionsMap options_for(const connection::Settings& settings,
                                   const connection::Address& address,
                                   const connection::OptionsFile& file,
                                   std::chrono::seconds limit) {
    sql::ConnectOptionsMap options;
    options["hostName"] = sql::SQLString(
        address.is_socket() ? "unix://" + address.socket : "tcp://" + connection::name_of(address));
    options["userName"] = sql::SQLString(settings.user);
    options["password"] = sql::SQLString(settings.password.reveal());
    options["readDefaultFile"] = sql::SQLString(file.path());
    options["readDefaultGroup"] = sql::SQLString(connection::options_group);
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
        " /*M!100300 , idle_transaction_timeout = 20 */" + statements::without_crashes);
    connection->setTransactionIsolation(sql::TRANSACTION_READ_COMMITTED);
    return connection;
}

void ask(sql::Connection& connection, const connection::Probe& probe) {
    const std::unique_ptr<sql::Statement> statement(connection.createStatement());
    const std::unique_ptr<sql::ResultSet> row(statement->executeQuery(probe.query));
    if (!row->next() || row->getString("Value") != probe.refused_value) return;
    throw sql::SQLException(probe.reason, "HY000", server_is_refused);
}

std::unique_ptr<sql::Connection> open_explaining(sql::ConnectOptionsMap& options,
                                                 const connection::Address& address,
                                                 std::chrono::seconds limit) {
    try {
        return open(options, limit);
    } catch (const sql::SQLException& error) {
        throw sql::SQLException(connection::explained(error.what(), address), error.getSQLState(),
                                error.getErrorCode());
    }
}

std::unique_ptr<sql::Connection> open_at(const connection::Settings& settings,
                                         const connection::Address& address,
                                         const std::string& schema, std::chrono::seconds limit) {
    const connection::OptionsFile file(connection::options_text(settings, address));
    sql::ConnectOptionsMap options = options_for(settings, address, file, limit);
    if (!schema.empty()) options["schema"] = sql::SQLString(schema);
    auto connection = open_explaining(options, address, limit);
    for (const auto& probe : connection::probes_for(address, settings.addresses.size())) {
        ask(*connection, probe);
    }
    return connection;
}

/// Tries every address. The exception has the number of the first failure and the text of all.
std::unique_ptr<sql::Connection> open_any(const connection::Settings& settings,
                                          const std::string& schema, std::chrono::seconds limit) {
    if (settings.addresses.size() == 1) {
        return open_at(settings, settings.addresses.front(), schema, limit);
    }
    connection::Reasons reasons;
    std::optional<sql::SQLException> first;
    for (const std::size_t number : connection::order_of(settings.addresses)) {
        const connection::Address& address = settings.addresses[number];
        try {
            auto connection = open_at(settings, address, schema, limit);
            connection::note_that_works(settings.addresses, number);
            return connection;
        } catch (const sql::SQLException& error) {
            if (!first) first.emplace(error);
            reasons.add(address, error.what());
        }
    }
    throw sql::SQLException(reasons.text(), first->getSQLState(), first->getErrorCode());
}

}  // namespace

std::unique_ptr<sql::Connection> connect(const base::Config& config, std::chrono::seconds limit) {
    const connection::Settings settings = connection::settings_of(config);
    return open_any(settings, settings.database, limit);
}

std::unique_ptr<sql::Connection> connect_to_server(const base::Config& config) {
    return open_any(connection::settings_of(config), "", statement_limit);
}

}  // namespace provisioner::queue
