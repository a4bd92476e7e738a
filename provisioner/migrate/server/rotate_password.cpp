#include "provisioner/migrate/server/rotate_password.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "provisioner/connection/settings.hpp"
#include "provisioner/identity/codes/database_password.hpp"
#include "provisioner/migrate/server/password_file.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/statements/database_errors.hpp"

namespace provisioner::migrate {

namespace {

/// Without the statement, which may have a password.
void run_quietly(sql::Connection& connection, const std::string& statement) {
    try {
        queue::execute(connection, statement);
    } catch (const sql::SQLException& error) {
        throw std::runtime_error(std::string(error.what()) + " (error " +
                                 std::to_string(error.getErrorCode()) + ")");
    }
}

ServerKind server_kind(sql::Connection& connection) {
    const auto row = queue::select(connection, "SELECT VERSION() LIKE '%MariaDB%' AS is_mariadb");
    row->next();
    return row->getInt("is_mariadb") == 1 ? ServerKind::mariadb : ServerKind::mysql;
}

bool is_elsewhere(const base::Config& config) {
    return !config.get_or("database.host", "").empty() ||
           !config.get_or("database.hosts", "").empty();
}

/// A hexadecimal hash and our own passwords have no quotes.
std::string in_quotes(const std::string& text) {
    if (text.find_first_of("'\\") != std::string::npos) {
        throw std::runtime_error("the password has quotes or backslashes; give it another one");
    }
    return "'" + text + "'";
}

/// A password that was chosen by people may have them.
std::string escaped(const std::string& text) {
    std::string all = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') all += c;
        all += c;
    }
    return all + "'";
}

std::string native(const base::Secret& password) {
    return "mysql_native_password USING " + in_quotes(identity::native_password_hash(password));
}

std::string own_statement(ServerKind kind, const base::Secret& password) {
    if (kind == ServerKind::mariadb) {
        return "SET PASSWORD = " + in_quotes(identity::native_password_hash(password));
    }
    return "ALTER USER USER() IDENTIFIED BY " + in_quotes(password.reveal());
}

/// Whether the server lets the program in with the file as it is now.
void check_login(const base::Config& config) {
    const auto connection = queue::connect_to_server(config);
    run_quietly(*connection, "DO 1");
}

void rotate_by_admin(const base::Config& config, const std::string& file, const std::string& admin,
                     std::chrono::seconds overlap) {
    const auto connection = queue::connect_to_server(
        base::Config::parse("database.socket = " + config.get("database.socket") +
                            "\ndatabase.user = " + admin + "\n"));
    const std::string name = escaped(config.get("database.user")) + "@'localhost'";
    const PasswordChange change =
        password_change(server_kind(*connection), name, base::Secret(password_in(file, "")),
                        base::Secret(next_password(file)));
    run_quietly(*connection, change.begin);
    take_next_password(file);
    std::this_thread::sleep_for(overlap);
    check_login(config);
    run_quietly(*connection, change.end);
    check_login(config);
}

/// Null: the server refuses the password of the file.
std::unique_ptr<sql::Connection> connect_by_file(const base::Config& config) {
    try {
        return queue::connect_to_server(config);
    } catch (const sql::SQLException& error) {
        if (error.getErrorCode() != statements::access_denied) throw;
        return nullptr;
    }
}

void rotate_by_itself(const base::Config& config, const std::string& file) {
    const auto connection = connect_by_file(config);
    if (!connection) {
        // An interrupted change has told the server, but not written the file.
        take_next_password(file);
        return check_login(config);
    }
    const base::Secret fresh(next_password(file));
    run_quietly(*connection, own_statement(server_kind(*connection), fresh));
    take_next_password(file);
    check_login(config);
}

}  // namespace

PasswordChange password_change(ServerKind kind, const std::string& name,
                               const base::Secret& old_password, const base::Secret& new_password) {
    const std::string alter = "ALTER USER " + name;
    if (kind == ServerKind::mariadb) {
        const std::string with_new = alter + " IDENTIFIED VIA " + native(new_password);
        return {.begin = with_new + " OR " + native(old_password), .end = with_new};
    }
    return {.begin = alter + " IDENTIFIED BY " + in_quotes(new_password.reveal()) +
                     " RETAIN CURRENT PASSWORD",
            .end = alter + " DISCARD OLD PASSWORD"};
}

void rotate_password(const ConfigOf& config_of, const std::string& program,
                     const std::string& admin, std::chrono::seconds overlap) {
    const base::Config config = config_of(program);
    const std::string file = config.get_or("database.password_file", "");
    if (file.empty()) {
        throw std::runtime_error(program + " has no database.password_file: " +
                                 (is_elsewhere(config)
                                      ? "move the password into one first"
                                      : "its account has no password, it comes by the socket"));
    }
    if (is_elsewhere(config)) return rotate_by_itself(config, file);
    rotate_by_admin(config, file, admin, overlap);
}

}  // namespace provisioner::migrate
