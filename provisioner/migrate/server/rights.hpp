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

/// What a program needs at all tables of the database alike, and no more. Nothing for the web,
/// whose rights are given table by table.
const Rights& rights_of(std::string_view program);

/// What the web needs at one table, and no more. It appends to the audit log and changes nothing of
/// it: whoever has taken over the web cannot change what was recorded before.
const Rights& web_rights_at(std::string_view table);

/// The role that has the web's rights at the tables, by the name of the web's account.
/// cooperage-migrate gives a role rights without knowing from which hosts the account may come.
std::string role_of(const std::string& user);

/// The rights that lines of SHOW GRANTS give at `database.*`: at this database, at all, or at a
/// pattern that matches it. "ALL PRIVILEGES" stays as it is; WITH GRANT OPTION gives
/// "GRANT OPTION". Pure.
Rights rights_at(const std::string& database, const std::vector<std::string>& grants);

/// The same at one table, those at the whole database among them. Pure.
Rights rights_at_table(const std::string& database, const std::string& table,
                       const std::vector<std::string>& grants);

/// The lines of SHOW GRANTS that give something beyond the database, without "GRANT USAGE": what is
/// given at single tables of it, and the role `role` (empty: none) are not beyond. Pure.
std::vector<std::string> grants_beyond(const std::string& database, const std::string& role,
                                       const std::vector<std::string>& grants);

/// The name of a database as GRANT wants it: in backquotes, with backslashes before _ and %, which
/// are wildcards there.
std::string pattern_of(const std::string& database);

/// What `has` has beyond `needed`, "USAGE" left out.
Rights beyond(const Rights& needed, const Rights& has);

/// "A, B, C".
std::string joined(const Rights& rights);

}  // namespace provisioner::migrate
