#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"

namespace sql {
class Connection;
}

namespace provisioner::migrate {

enum class ServerKind { mariadb, mysql };

/// By VERSION(), "10.11.6-MariaDB-0+deb12u1".
inline ServerKind kind_of_version(const std::string& version) {
    return version.find("MariaDB") == std::string::npos ? ServerKind::mysql : ServerKind::mariadb;
}

/// What a server says about itself to one account, as far as the checks look at it.
struct ServerFacts {
    std::string version;
    /// SHOW GLOBAL VARIABLES.
    std::map<std::string, std::string> variables;
    /// character_set_client of the session, which the server may have forced.
    std::string client_characters;
    /// The lines of SHOW GRANTS for the own account, which is CURRENT_USER().
    std::vector<std::string> grants;
    std::string account;
    /// The tables of the database at which the account has any right.
    std::vector<std::string> tables;
    /// Cipher of the connection; empty: plain text.
    std::string cipher;
    /// The host of the connection; empty for a socket.
    std::string host;
    /// How far the server's clock is ahead of ours, in seconds.
    long clock_ahead = 0;

    ServerKind kind() const { return kind_of_version(version); }
};

/// Which server the connection leads to.
ServerKind kind_of(sql::Connection& connection);

/// The tables of a database at which the account of the connection has any right, by name; none for
/// a database that is not there.
std::vector<std::string> tables_of(sql::Connection& connection, const std::string& database);

/// Asks the server of the configuration, without its database. Throws sql::SQLException when it
/// cannot be reached.
ServerFacts read_server_facts(const base::Config& config, base::Timestamp now);

}  // namespace provisioner::migrate
