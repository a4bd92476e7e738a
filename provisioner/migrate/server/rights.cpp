#include "provisioner/migrate/server/rights.hpp"

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace provisioner::migrate {

namespace {

const Rights of_rows{"SELECT", "INSERT", "UPDATE", "DELETE"};
const Rights of_tables{"SELECT", "INSERT", "UPDATE", "DELETE",     "CREATE",
                       "ALTER",  "DROP",   "INDEX",  "REFERENCES", "GRANT OPTION"};
const Rights of_reading{"SELECT"};
const Rights of_appending{"SELECT", "INSERT"};
const Rights of_moving_on{"SELECT", "INSERT", "UPDATE"};
const Rights none;

/// "GRANT a, b ON `pattern`.`table` TO ..." taken apart.
struct Grant {
    Rights rights;
    /// "*" for all databases, else the pattern without backquotes; empty for anything but a grant
    /// at tables.
    std::string pattern;
    /// "*" for all, else the name.
    std::string table;
};

Grant grant_of(const std::string& line) {
    static const std::regex form("GRANT (.+) ON (?:(\\*)|`([^`]+)`)\\.(?:(\\*)|`([^`]+)`) TO (.*)");
    std::smatch found;
    if (!std::regex_match(line, found, form)) return {};
    Grant grant{.rights = {},
                .pattern = found[2].matched ? "*" : found[3].str(),
                .table = found[4].matched ? "*" : found[5].str()};
    if (found[6].str().ends_with(" WITH GRANT OPTION")) grant.rights.insert("GRANT OPTION");
    std::istringstream words(found[1]);
    for (std::string word; std::getline(words, word, ',');) {
        grant.rights.insert(word.starts_with(' ') ? word.substr(1) : word);
    }
    return grant;
}

/// LIKE of SQL with a backslash as the escape.
bool matches(std::string_view text, std::string_view pattern) {
    if (pattern.empty()) return text.empty();
    if (pattern.front() == '%') {
        return matches(text, pattern.substr(1)) ||
               (!text.empty() && matches(text.substr(1), pattern));
    }
    const bool is_escaped = pattern.front() == '\\' && pattern.size() > 1;
    const std::string_view rest = pattern.substr(is_escaped ? 2 : 1);
    const char wanted = pattern[is_escaped ? 1 : 0];
    if (text.empty() || (text.front() != wanted && (is_escaped || wanted != '_'))) return false;
    return matches(text.substr(1), rest);
}

}  // namespace

const std::vector<std::string>& programs() {
    static const std::vector<std::string> all{"web", "provisioner", "migrate"};
    return all;
}

const Rights& rights_of(std::string_view program) {
    if (program == "migrate") return of_tables;
    if (program == "provisioner") return of_rows;
    if (program == "web") return none;
    throw std::invalid_argument("no program has the name " + std::string(program));
}

const Rights& web_rights_at(std::string_view table) {
    if (table == "audit_event") return of_appending;
    if (table == "audit_chain") return of_moving_on;
    const bool is_of_others = table == "audit_seal" || table == "audit_export" ||
                              table == "audit_target" || table == "sealing_key" ||
                              table.starts_with("schema_");
    return is_of_others ? of_reading : of_rows;
}

std::string role_of(const std::string& user) {
    return user + "-tables";
}

Rights rights_at(const std::string& database, const std::vector<std::string>& grants) {
    Rights rights;
    for (const std::string& line : grants) {
        const Grant grant = grant_of(line);
        if (grant.table != "*") continue;
        if (grant.pattern == "*" || matches(database, grant.pattern)) {
            rights.insert(grant.rights.begin(), grant.rights.end());
        }
    }
    return rights;
}

Rights rights_at_table(const std::string& database, const std::string& table,
                       const std::vector<std::string>& grants) {
    Rights rights = rights_at(database, grants);
    for (const std::string& line : grants) {
        const Grant grant = grant_of(line);
        // At a single table the name of the database is no pattern.
        if (grant.pattern != database || grant.table != table) continue;
        rights.insert(grant.rights.begin(), grant.rights.end());
    }
    return rights;
}

std::vector<std::string> grants_beyond(const std::string& database, const std::string& role,
                                       const std::vector<std::string>& grants) {
    std::vector<std::string> beyond;
    for (const std::string& line : grants) {
        const std::string shown = line.substr(0, line.find(" IDENTIFIED "));
        const Grant grant = grant_of(line);
        // What everybody may, like MariaDB's grant on databases named test, is no right of the
        // account.
        const bool is_usage = line.starts_with("GRANT USAGE ON ") || shown.ends_with(" TO PUBLIC");
        const bool is_ours =
            "`" + grant.pattern + "`" == pattern_of(database) || grant.pattern == database;
        const bool is_role = !role.empty() && (line.starts_with("GRANT `" + role + "` TO ") ||
                                               line.starts_with("GRANT `" + role + "`@`%` TO ") ||
                                               line.starts_with("SET DEFAULT ROLE `" + role + "`"));
        if (!is_usage && !is_ours && !is_role) beyond.push_back(shown);
    }
    return beyond;
}

std::string pattern_of(const std::string& database) {
    std::string pattern = "`";
    for (const char c : database) {
        if (c == '_' || c == '%' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern + "`";
}

Rights beyond(const Rights& needed, const Rights& has) {
    Rights more;
    std::set_difference(has.begin(), has.end(), needed.begin(), needed.end(),
                        std::inserter(more, more.end()));
    more.erase("USAGE");
    return more;
}

std::string joined(const Rights& rights) {
    std::string text;
    for (const std::string& right : rights) text += (text.empty() ? "" : ", ") + right;
    return text;
}

}  // namespace provisioner::migrate
