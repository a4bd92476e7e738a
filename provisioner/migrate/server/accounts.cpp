#include "provisioner/migrate/server/accounts.hpp"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "provisioner/connection/settings.hpp"
#include "provisioner/identity/codes/database_password.hpp"
#include "provisioner/migrate/server/password_file.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

/// Of an account or role in bytes, at MySQL; MariaDB takes longer ones.
constexpr std::size_t longest_name = 32;

/// What the server says to a GRANT: no such role (MariaDB, MySQL), and no right to give this right
/// (at the table, at the database).
constexpr std::array in_the_way{1133, 1410, 1142, 1044};

/// What the server says to SHOW GRANTS for a role that is not there.
constexpr int no_such_grant = 1141;

/// In quotes for SQL. With a backslash for each backslash: sql_mode NO_BACKSLASH_ESCAPES is not
/// meant.
std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') all += c;
        all += c;
    }
    return all + "'";
}

std::string name_of(const Account& account) {
    return quoted(account.user) + "@" + quoted(account.from);
}

bool uses_socket(const base::Config& config) {
    return config.get_or("database.host", "").empty() &&
           config.get_or("database.hosts", "").empty();
}

base::Secret password_of(const base::Config& config, const std::string& program) {
    const std::string file = config.get_or("database.password_file", "");
    if (file.empty()) return base::Secret(config.get_or("database.password", ""));
    const bool is_for_root = program == "migrate";
    return base::Secret(password_in(file, is_for_root ? "" : config.get("database.user")));
}

Account account_of(const base::Config& config, const std::string& program,
                   const std::string& from) {
    Account account{.user = config.get("database.user"),
                    .from = from,
                    .password = password_of(config, program),
                    .system_user = program == "migrate" ? "root" : config.get("database.user"),
                    .rights = rights_of(program)};
    if (account.password.empty() && !uses_socket(config)) {
        throw std::runtime_error(program + ".database.password_file is not set: the account " +
                                 account.user + " needs a password to come by TCP");
    }
    return account;
}

/// GRANT has a clause of its own for the right to give rights.
std::string grant_of_rights(Rights rights, const std::string& at, const std::string& name) {
    const bool may_give = rights.erase("GRANT OPTION") > 0;
    return "GRANT " + joined(rights) + " ON " + at + " TO " + name +
           (may_give ? " WITH GRANT OPTION" : "");
}

std::string identification(ServerKind kind, const Account& account) {
    // MariaDB writes statements as they come into its binlog and logs; MySQL hides passwords there.
    if (!account.password.empty() && kind == ServerKind::mariadb) {
        return " IDENTIFIED VIA mysql_native_password USING " +
               quoted(identity::native_password_hash(account.password));
    }
    if (!account.password.empty()) {
        return " IDENTIFIED BY " + quoted(account.password.reveal());
    }
    if (kind == ServerKind::mariadb) return " IDENTIFIED VIA unix_socket";
    return " IDENTIFIED WITH auth_socket AS " + quoted(account.system_user);
}

/// Takes back what a role has at tables beyond what the web needs. No statement for a role that is
/// not there yet.
std::vector<std::string> excess_statements(sql::Connection& connection, const std::string& database,
                                           const std::string& role,
                                           const std::vector<std::string>& tables) {
    std::vector<std::string> grants;
    try {
        const auto rows = queue::select(connection, "SHOW GRANTS FOR " + quoted(role));
        while (rows->next()) grants.push_back(std::string(rows->getString(1)));
    } catch (const sql::SQLException& error) {
        if (error.getErrorCode() != no_such_grant) throw;
    }
    std::vector<std::string> statements;
    for (const std::string& table : tables) {
        const Rights more = beyond(web_rights_at(table), rights_at_table(database, table, grants));
        if (more.empty()) continue;
        statements.push_back("REVOKE " + joined(more) + " ON `" + database + "`.`" + table +
                             "` FROM " + quoted(role));
    }
    return statements;
}

}  // namespace

std::vector<Account> accounts_of(const ConfigOf& config_of, const std::string& from) {
    std::vector<Account> accounts;
    for (const std::string& program : programs()) {
        Account account = account_of(config_of(program), program, from);
        const auto same = std::find_if(accounts.begin(), accounts.end(), [&](const Account& one) {
            return one.user == account.user;
        });
        if (same == accounts.end()) {
            accounts.push_back(std::move(account));
        } else {
            same->rights.insert(account.rights.begin(), account.rights.end());
        }
    }
    for (Account& account : accounts) {
        const bool is_web_alone = account.rights.empty();
        if (!is_web_alone) continue;
        account.role = role_of(account.user);
        if (account.role.size() > longest_name) {
            throw std::runtime_error("web.database.user has " +
                                     std::to_string(account.user.size()) + " bytes; the role " +
                                     account.role + " may have " + std::to_string(longest_name));
        }
    }
    return accounts;
}

std::vector<std::string> role_statements(const std::string& database, const std::string& role,
                                         const std::vector<std::string>& tables) {
    std::vector<std::string> statements;
    for (const std::string& table : tables) {
        statements.push_back("GRANT " + joined(web_rights_at(table)) + " ON `" + database + "`.`" +
                             table + "` TO " + quoted(role));
    }
    return statements;
}

std::vector<std::string> account_statements(ServerKind kind, const std::string& database,
                                            const std::vector<Account>& accounts,
                                            const std::vector<std::string>& tables,
                                            bool with_plugin) {
    std::vector<std::string> statements{"CREATE DATABASE IF NOT EXISTS `" + database +
                                        "` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"};
    if (with_plugin) statements.push_back("INSTALL PLUGIN auth_socket SONAME 'auth_socket.so'");
    for (const Account& account : accounts) {
        if (account.role.empty()) continue;
        statements.push_back("CREATE ROLE IF NOT EXISTS " + quoted(account.role));
        for (std::string& one : role_statements(database, account.role, tables)) {
            statements.push_back(std::move(one));
        }
    }
    for (const Account& account : accounts) {
        const std::string name = name_of(account);
        const std::string identified = identification(kind, account);
        statements.push_back("CREATE USER IF NOT EXISTS " + name + identified);
        statements.push_back("ALTER USER " + name + identified);
        statements.push_back("REVOKE ALL PRIVILEGES, GRANT OPTION FROM " + name);
        if (!account.rights.empty()) {
            statements.push_back(
                grant_of_rights(account.rights, pattern_of(database) + ".*", name));
        }
        if (account.role.empty()) continue;
        const std::string role = quoted(account.role);
        statements.push_back("GRANT " + role + " TO " + name);
        statements.push_back(kind == ServerKind::mariadb
                                 ? "SET DEFAULT ROLE " + role + " FOR " + name
                                 : "ALTER USER " + name + " DEFAULT ROLE " + role);
    }
    return statements;
}

std::size_t set_up(const ConfigOf& config_of, const std::string& admin) {
    const base::Config config = config_of("migrate");
    if (!uses_socket(config)) {
        throw std::runtime_error(
            "the settings name a host: let an administrator of that server run what "
            "`cooperage-migrate grants` prints");
    }
    const auto accounts = accounts_of(config_of, "localhost");
    const auto connection = queue::connect_to_server(
        base::Config::parse("database.socket = " + config.get("database.socket") +
                            "\ndatabase.user = " + admin + "\n"));
    const auto row = queue::select(
        *connection,
        "SELECT VERSION() LIKE '%MariaDB%' AS is_mariadb, (SELECT COUNT(*) FROM "
        "information_schema.plugins WHERE plugin_name = 'auth_socket') AS has_plugin");
    row->next();
    const bool is_mariadb = row->getInt("is_mariadb") == 1;
    const bool by_socket = std::ranges::any_of(
        accounts, [](const Account& account) { return account.password.empty(); });
    const std::string database = config.get("database.name");
    const auto tables = tables_of(*connection, database);
    auto statements =
        account_statements(is_mariadb ? ServerKind::mariadb : ServerKind::mysql, database, accounts,
                           tables, !is_mariadb && by_socket && row->getInt("has_plugin") == 0);
    for (const Account& account : accounts) {
        if (account.role.empty()) continue;
        for (std::string& one : excess_statements(*connection, database, account.role, tables)) {
            statements.push_back(std::move(one));
        }
    }
    for (const std::string& statement : statements) {
        try {
            queue::execute(*connection, statement);
        } catch (const sql::SQLException& error) {
            // Without the statement's end, which may have a password.
            throw std::runtime_error(std::string(error.what()) +
                                     " in: " + statement.substr(0, statement.find(" IDENTIFIED")));
        }
    }
    return statements.size();
}

std::string give_web_its_rights(const ConfigOf& config_of) {
    const base::Config config = config_of("migrate");
    const std::string user = config_of("web").get("database.user");
    for (const char* other : {"provisioner", "migrate"}) {
        if (config_of(other).get("database.user") == user) return {};
    }
    const auto connection = queue::connect(config);
    const std::string database = config.get("database.name");
    try {
        for (const std::string& statement :
             role_statements(database, role_of(user), tables_of(*connection, database))) {
            queue::execute(*connection, statement);
        }
    } catch (const sql::SQLException& error) {
        if (std::ranges::find(in_the_way, error.getErrorCode()) == in_the_way.end()) throw;
        return "the web's account keeps the rights it has: " + std::string(error.what()) +
               ". Run `cooperage-migrate setup`, or what `cooperage-migrate grants` prints, then "
               "`cooperage-migrate up`";
    }
    return {};
}

}  // namespace provisioner::migrate
