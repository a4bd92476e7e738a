#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::connection {

/// How a connection to the database is protected.
enum class Tls {
    /// Plain text.
    off,
    /// Encrypted, with whoever answers.
    required,
    /// Encrypted, and the server's certificate must be of a known authority and name the host.
    verify,
};

/// Where a server listens.
struct Address {
    /// Path of a unix socket; empty: by TCP.
    std::string socket = {};
    std::string host = {};
    int port = 3306;
    Tls tls = Tls::off;

    bool is_socket() const { return !socket.empty(); }
    bool operator==(const Address&) const = default;
};

/// "db.example:3306", "[::1]:3306" or the path of a socket. For messages.
std::string name_of(const Address& address);

/// How one program reaches the installation's database.
struct Settings {
    /// In the order in which they are tried; never empty.
    std::vector<Address> addresses;
    std::string user;
    /// Empty: none, as when the server knows a user of the system by the socket.
    base::Secret password;
    std::string database;
    /// Paths, each possibly empty. Without `ca` the authorities of the system count. `cert` and
    /// `key` show the server who we are.
    std::string ca;
    std::string cert;
    std::string key;
};

/// Reads the settings of the database, for both client libraries:
///
///     database.name
///     database.user
///     database.password, or database.password_file   the file's text without its last line end
///     database.socket           a unix socket; not used where hosts or host is set
///     database.hosts            "db1.example, db2.example:3307, [2001:db8::1]", tried in order
///     database.host             one host, with database.port (default 3306)
///     database.tls              off, required or verify; by default verify, but off for hosts that
///                               are this machine (localhost, 127.0.0.0/8, ::1). Sockets have none
///     database.tls_ca, database.tls_cert, database.tls_key    paths of PEM files
///
/// Throws std::runtime_error that names every setting that is missing or wrong; for the password
/// file its path and why it cannot be read.
Settings settings_of(const base::Config& config);

}  // namespace provisioner::connection

namespace provisioner::base {

template <>
inline constexpr std::array words<connection::Tls>{
    std::pair{connection::Tls::off, std::string_view("off")},
    std::pair{connection::Tls::required, std::string_view("required")},
    std::pair{connection::Tls::verify, std::string_view("verify")},
};

}  // namespace provisioner::base
