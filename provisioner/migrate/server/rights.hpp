#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::migrate {

/// Rights at a server by their words in GRANT, "SELECT".
using Rights = std::set<std::string>;

/// The programs that have an account each: "web", "provisioner" and "migrate". Their settings have
/// this word before the name, their accounts are called cooperage-<program> by default.
const std::vector<std::string>& programs();

/// What a program needs at the tables of the database, and no more.
const Rights& rights_of(std::string_view program);

/// The rights that lines of SHOW GRANTS give at `database.*`: at this database, at all, or at a
/// pattern that matches it. "ALL PRIVILEGES" stays as it is. Pure.
Rights rights_at(const std::string& database, const std::vector<std::string>& grants);

/// The lines of SHOW GRANTS that give something beyond `database.*`, without "GRANT USAGE". Pure.
std::vector<std::string> grants_beyond(const std::string& database,
                                       const std::vector<std::string>& grants);

/// The name of a database as GRANT wants it: in backquotes, with backslashes before _ and %, which
/// are wildcards there.
std::string pattern_of(const std::string& database);

/// "A, B, C".
std::string joined(const Rights& rights);

}  // namespace provisioner::migrate
