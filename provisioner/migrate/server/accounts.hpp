#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/migrate/server/rights.hpp"
#include "provisioner/migrate/server/server_facts.hpp"

namespace provisioner::migrate {

/// An account at the server. Programs whose settings name the same one share it.
struct Account {
    std::string user;
    /// From where it may come: "localhost", "%", "10.0.0.%".
    std::string from;
    /// Empty: by the socket, as a user of the system.
    base::Secret password;
    /// The user of the system that may use the account; only MySQL can tell it from `user`.
    std::string system_user;
    /// At all tables alike.
    Rights rights;
    /// The role through which it has rights at single tables; empty: none.
    std::string role{};
};

/// Reads the settings as a program ("web") does.
using ConfigOf = std::function<base::Config(const std::string& program)>;

/// The accounts that the settings of all programs name. A password file that is not there is made
/// with a random password: mode 0640 and the group of the account's name if the system has one,
/// 0600 for cooperage-migrate. The web has rights table by table, unless another program has the
/// same account. Throws std::runtime_error when an account has no password and does
/// not use the socket, when its name is too long for a role, or when a file cannot be read or
/// written.
std::vector<Account> accounts_of(const ConfigOf& config_of, const std::string& from);

/// The statements that an administrator of the server must run, in order and without semicolons:
/// they make the database and the accounts if need be, and give the accounts these rights and no
/// others; roles get their rights at `tables`, those that are there, before the accounts change.
/// Running them again changes nothing. `with_plugin`: MySQL has yet to load auth_socket. Pure.
std::vector<std::string> account_statements(ServerKind kind, const std::string& database,
                                            const std::vector<Account>& accounts,
                                            const std::vector<std::string>& tables,
                                            bool with_plugin = false);

/// The statements that give the web's role its rights at these tables. Pure.
std::vector<std::string> role_statements(const std::string& database, const std::string& role,
                                         const std::vector<std::string>& tables);

/// Runs them as `admin` (normally root) by the server's socket, takes back what roles have beyond
/// them, and returns how many statements that were. Throws std::runtime_error when the settings
/// name a host, or the server refuses.
std::size_t set_up(const ConfigOf& config_of, const std::string& admin);

/// Gives the web's role its rights at all tables, as the account of cooperage-migrate: after the
/// schema has changed. Returns what is in the way, for people: the role or the right to give rights
/// is missing, as in an installation that was set up before there was a role; cooperage-web keeps
/// the rights it has then. Empty when all is well, or the web shares its account. Throws
/// sql::SQLException for any other error.
std::string give_web_its_rights(const ConfigOf& config_of);

}  // namespace provisioner::migrate
