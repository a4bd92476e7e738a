#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "provisioner/migrate/server/accounts.hpp"

namespace provisioner::migrate {

/// The two statements that change a password while programs use the account: after the first both
/// passwords let in, after the second only the new one. `name` is the account in quotes,
/// 'cooperage-web'@'localhost'. Pure.
///
/// MariaDB: two ways of identification, each with the hash of a password. MySQL: dual passwords,
/// which it takes in plain text only; it hides them in its logs and its binlog.
struct PasswordChange {
    std::string begin;
    std::string end;
};
PasswordChange password_change(ServerKind kind, const std::string& name,
                               const base::Secret& old_password, const base::Secret& new_password);

/// Gives the account of a program a new random password and writes it into its password file, while
/// everything runs. By the server's socket as `admin`:
///
///     1. the new password is written beside the file
///     2. the server takes both
///     3. the file is replaced once the new one has let in; programs read it when they connect
///     4. after `overlap` a connection with the file as it is now must work
///     5. the server takes the new one alone
///
/// May be interrupted anywhere and run again. On a server elsewhere the account changes its own
/// password; between file and server there are some milliseconds then, in which programs are
/// refused and try again. A new password that is left from an interrupted call counts only for the
/// account and server that it was made for, and only once it has let in. Throws std::runtime_error
/// when the program has no password file, the server refuses, or MySQL would log the password.
void rotate_password(const ConfigOf& config_of, const std::string& program,
                     const std::string& admin, std::chrono::seconds overlap);

/// Records it in the audit log, without the password. Returns 0, or 1 when that failed.
int record_rotated_password(const base::Config& migrate, const base::Config& rotated,
                            const std::string& program, std::ostream& complaints);

}  // namespace provisioner::migrate
