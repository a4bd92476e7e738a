#include "provisioner/migrate/server/rotate_password.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <thread>

#include "provisioner/connection/settings.hpp"
#include "provisioner/identity/codes/database_password.hpp"
#include "provisioner/migrate/server/password_file.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/statements/database_errors.hpp"
#include "provisioner/store/database/database.hpp"

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

/// The settings of the account with another password file.
base::Config with_file(const base::Config& config, const std::string& file) {
    std::string lines = "database.password_file = " + file + "\n";
    for (const char* name : {"socket", "hosts", "host", "port", "tls", "tls_ca", "tls_cert",
                             "tls_key", "user", "name"}) {
        const std::string setting = std::string("database.") + name;
        const std::string value = config.get_or(setting, "");
        if (!value.empty()) lines += setting + " = " + value + "\n";
    }
    return base::Config::parse(lines);
}

/// Whose password it is, and where: a next password is good there and nowhere else.
std::string account_of(const base::Config& config) {
    std::string account;
    for (const char* name : {"user", "socket", "hosts", "host", "port"}) {
        account += config.get_or(std::string("database.") + name, "") + "\n";
    }
    return account;
}

/// Null: the server refuses the password of the file.
std::unique_ptr<sql::Connection> connect_by_file(const base::Config& config) {
    try {
        auto connection = queue::connect_to_server(config);
        run_quietly(*connection, "DO 1");
        return connection;
    } catch (const sql::SQLException& error) {
        if (error.getErrorCode() != statements::access_denied) throw;
        return nullptr;
    }
}

/// Puts the next password in the place of the file, once the server has let it in.
void take_proven(const base::Config& config, const std::string& file) {
    const std::string next = next_password_file(file, account_of(config));
    if (!connect_by_file(with_file(config, next))) {
        throw std::runtime_error("the server refuses the new password, which is in " + next + "; " +
                                 file + " is as it was");
    }
    take_next_password(file, account_of(config));
}

/// MySQL hides passwords of such statements in its logs and its binlog, unless it was told not to.
void check_logs(sql::Connection& connection) {
    const auto row = queue::select(connection, "SHOW GLOBAL VARIABLES LIKE 'log_raw'");
    if (row->next() && row->getString("Value") == "ON") {
        throw std::runtime_error(
            "log_raw is on: the server would write the new password into its log. Switch it off "
            "(SET GLOBAL log_raw = OFF)");
    }
}

void rotate_by_admin(const base::Config& config, const std::string& file, const std::string& admin,
                     std::chrono::seconds overlap) {
    const auto connection = queue::connect_to_server(
        base::Config::parse("database.socket = " + config.get("database.socket") +
                            "\ndatabase.user = " + admin + "\n"));
    const ServerKind kind = server_kind(*connection);
    if (kind == ServerKind::mysql) check_logs(*connection);
    const std::string name = escaped(config.get("database.user")) + "@'localhost'";
    const PasswordChange change =
        password_change(kind, name, base::Secret(password_in(file, "")),
                        base::Secret(next_password(file, account_of(config))));
    run_quietly(*connection, change.begin);
    take_proven(config, file);
    std::this_thread::sleep_for(overlap);
    if (!connect_by_file(config)) {
        throw std::runtime_error("the server refuses the password that is in " + file +
                                 " now; both passwords stay valid: run it again");
    }
    run_quietly(*connection, change.end);
    if (!connect_by_file(config)) throw std::runtime_error("the server refuses the new password");
}

void rotate_by_itself(const base::Config& config, const std::string& file) {
    const auto connection = connect_by_file(config);
    if (!connection) {
        // An interrupted change has told the server, but not written the file.
        if (!std::filesystem::exists(next_password_file(file, account_of(config)))) {
            throw std::runtime_error("the server refuses the password that is in " + file);
        }
        return take_proven(config, file);
    }
    const ServerKind kind = server_kind(*connection);
    if (kind == ServerKind::mysql) check_logs(*connection);
    const base::Secret fresh(next_password(file, account_of(config)));
    run_quietly(*connection, own_statement(kind, fresh));
    take_proven(config, file);
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

int record_rotated_password(const base::Config& migrate, const base::Config& rotated,
                            const std::string& program, std::ostream& complaints) {
    try {
        store::Database database(migrate, store::patience_of_daemons);
        database.write([&](store::Connection& connection) {
            operations::audit_own(connection, {.action = "database-password.rotate",
                                               .object = {.kind = "database-account",
                                                          .name = rotated.get("database.user")},
                                               .after = {{"program", program}},
                                               .chain = model::TenantId{}});
        });
    } catch (const std::exception& error) {
        complaints << "the audit log does not tell of it: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

}  // namespace provisioner::migrate
