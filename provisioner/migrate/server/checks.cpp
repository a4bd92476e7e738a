#include "provisioner/migrate/server/checks.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "provisioner/base/words.hpp"
#include "provisioner/migrate/server/rights.hpp"

namespace provisioner::migrate {

namespace {

constexpr long long mebibyte = 1048576;
constexpr long most_clock_difference = 5;

/// When the value of a variable is wrong.
enum class Wrong { below, is, is_not };

/// One variable of the server. Variables that a server does not have are fine.
struct Rule {
    const char* variable;
    Wrong wrong;
    /// A number for `below`, a word for the others, without regard to case.
    const char* limit;
    const char* wanted;
    const char* because;
    bool is_refusal = true;
};

/// Content of plugins' files goes in statements of 1 MiB, in which a byte may take two. A request
/// may have 150 MiB; larger ones than fit get a 413.
constexpr Rule rules[]{
    {"max_allowed_packet", Wrong::below, "4194304", "at least 4M, better 512M",
     "files of plugins are stored in pieces that need it"},
    {"max_allowed_packet", Wrong::below, "315621376", "512M",
     "larger requests are refused with 413: a request may have 150 MiB", false},
    {"binlog_format", Wrong::is, "STATEMENT", "ROW",
     "with log_bin the server refuses changes at READ COMMITTED otherwise"},
    {"max_error_count", Wrong::below, "1", "64", "the server does not tell why a statement failed"},
    {"innodb_page_size", Wrong::below, "16384", "16384 or more", "the keys are longer than fit"},
    {"innodb_default_row_format", Wrong::is, "compact", "dynamic", "the keys are longer than fit"},
    {"innodb_default_row_format", Wrong::is, "redundant", "dynamic",
     "the keys are longer than fit"},
    {"innodb_force_recovery", Wrong::is_not, "0", "0", "the server takes no changes otherwise"},
    {"read_only", Wrong::is, "ON", "OFF", "the server takes no changes: is it a replica?"},
    {"super_read_only", Wrong::is, "ON", "OFF", "the server takes no changes: is it a replica?"},
    {"innodb_read_only", Wrong::is, "ON", "OFF", "the server takes no changes"},
    {"enforce_storage_engine", Wrong::is_not, "InnoDB", "InnoDB or nothing",
     "transactions and foreign keys need InnoDB"},
    {"autocommit", Wrong::is, "OFF", "ON", "single statements would not be committed"},
    {"completion_type", Wrong::is_not, "NO_CHAIN", "NO_CHAIN",
     "each COMMIT would begin another transaction"},
    {"foreign_key_checks", Wrong::is, "OFF", "ON", "rows would refer to rows that are gone"},
    {"transaction_read_only", Wrong::is, "ON", "OFF", "no transaction could change anything"},
    {"tx_read_only", Wrong::is, "ON", "OFF", "no transaction could change anything"},
    {"innodb_strict_mode", Wrong::is, "OFF", "ON",
     "the server changes a definition that it cannot keep, without an error", false},
    {"innodb_flush_log_at_trx_commit", Wrong::is_not, "1", "1",
     "a crash of the server loses changes that were confirmed", false},
    {"max_connections", Wrong::below, "50", "100 or more",
     "cooperage-web and cooperage-provisioner keep some 20", false},
    {"wait_timeout", Wrong::below, "60", "600 or more", "idle connections break all the time",
     false},
    {"wsrep_on", Wrong::is, "ON", "OFF",
     "on a Galera cluster let all programs use one node (database.hosts), and run "
     "cooperage-migrate at one place at a time: its lock is not seen by other nodes",
     false},
};

bool is_wrong(const Rule& rule, const std::string& value) {
    if (rule.wrong == Wrong::below) {
        return std::strtoll(value.c_str(), nullptr, 10) < std::strtoll(rule.limit, nullptr, 10);
    }
    const bool is_same = base::in_capitals(value) == base::in_capitals(rule.limit);
    return is_same == (rule.wrong == Wrong::is);
}

/// A binary log that is not written has no format, and an engine that is not enforced no name.
bool applies(const Rule& rule, const ServerFacts& facts, const std::string& value) {
    const std::string name = rule.variable;
    if (name == "enforce_storage_engine") return !value.empty() && value != "NULL";
    if (name != "binlog_format") return true;
    const auto log = facts.variables.find("log_bin");
    return log != facts.variables.end() && log->second == "ON";
}

void check_variables(const ServerFacts& facts, Findings& findings) {
    std::string told;
    for (const Rule& rule : rules) {
        const auto found = facts.variables.find(rule.variable);
        if (found == facts.variables.end() || found->first == told) continue;
        if (!applies(rule, facts, found->second) || !is_wrong(rule, found->second)) continue;
        told = found->first;
        (rule.is_refusal ? findings.refusals : findings.warnings)
            .push_back(told + " is " + found->second + " and should be " + rule.wanted + ": " +
                       rule.because + ". Set " + told +
                       " in the section [mysqld] of the server's settings and restart it");
    }
}

/// Whether a version is at least the parts of `least`.
bool is_at_least(const std::string& version, const std::vector<int>& least) {
    std::istringstream text(version);
    std::vector<int> parts;
    for (int part = 0; text >> part; text.ignore(1)) parts.push_back(part);
    return !std::lexicographical_compare(parts.begin(), parts.end(), least.begin(), least.end());
}

void check_version(const ServerFacts& facts, Findings& findings) {
    const bool is_mariadb = facts.kind() == ServerKind::mariadb;
    if (is_at_least(facts.version, is_mariadb ? std::vector{10, 11} : std::vector{8, 0, 34})) {
        return;
    }
    findings.refusals.push_back("version is " + facts.version + " and must be " +
                                (is_mariadb ? "MariaDB 10.11" : "MySQL 8.0.34") + " or newer");
}

Rights missing_of(const Rights& needed, const Rights& has) {
    return has.contains("ALL PRIVILEGES") ? Rights{} : beyond(has, needed);
}

/// One finding for all tables at which the same is wrong: "DELETE at `c`.`t` and 3 more tables".
class AtTables {
 public:
    void add(const std::string& table, const Rights& rights) {
        if (!rights.empty()) tables_[joined(rights)].push_back(table);
    }
    bool empty() const { return tables_.empty(); }
    std::string text(const std::string& database) const {
        std::string all;
        for (const auto& [rights, tables] : tables_) {
            all += (all.empty() ? "" : "; ") + rights + " at `" + database + "`.`" +
                   tables.front() + "`";
            const std::size_t more = tables.size() - 1;
            if (more > 0) {
                all +=
                    " and " + std::to_string(more) + (more == 1 ? " more table" : " more tables");
            }
        }
        return all;
    }

 private:
    std::map<std::string, std::vector<std::string>> tables_;
};

struct RightsFound {
    /// For people; empty when nothing is missing.
    std::string missing;
    std::string more;
};

RightsFound rights_found(const ServerFacts& facts, const std::string& database,
                         std::string_view program) {
    const Rights has = rights_at(database, facts.grants);
    if (program != "web") {
        const Rights& needed = rights_of(program);
        const Rights missing = missing_of(needed, has);
        const Rights more = beyond(needed, has);
        const std::string at = " at " + pattern_of(database) + ".*";
        return {.missing = missing.empty() ? "" : joined(missing) + at,
                .more = more.empty() ? "" : joined(more) + at};
    }
    AtTables missing;
    AtTables more;
    for (const std::string& table : facts.tables) {
        const Rights there = rights_at_table(database, table, facts.grants);
        missing.add(table, missing_of(web_rights_at(table), there));
        more.add(table, beyond(web_rights_at(table), there));
    }
    if (facts.tables.empty()) return {.missing = "rights at all tables", .more = {}};
    return {.missing = missing.text(database), .more = more.text(database)};
}

void check_rights(const ServerFacts& facts, const std::string& database, std::string_view program,
                  Findings& findings) {
    RightsFound found = rights_found(facts, database, program);
    const bool can_work = found.missing != "GRANT OPTION at " + pattern_of(database) + ".*";
    if (!found.missing.empty()) {
        (can_work ? findings.refusals : findings.warnings)
            .push_back("the account " + facts.account + " lacks " + found.missing +
                       ": run `cooperage-migrate setup`, or what `cooperage-migrate grants` "
                       "prints, then `cooperage-migrate up`");
    }
    const std::string user = facts.account.substr(0, facts.account.rfind('@'));
    const auto elsewhere =
        grants_beyond(database, program == "web" ? role_of(user) : "", facts.grants);
    if (found.more.empty() && elsewhere.empty()) return;
    findings.warnings.push_back("the account " + facts.account + " may do more than cooperage-" +
                                std::string(program) +
                                " needs: " + (elsewhere.empty() ? found.more : elsewhere.front()) +
                                ". `cooperage-migrate grants` prints what is needed");
}

void check_connection(const ServerFacts& facts, Findings& findings) {
    if (facts.client_characters != "utf8mb4") {
        findings.refusals.push_back(
            "character_set_client is " + facts.client_characters +
            " although utf8mb4 was asked for: remove skip-character-set-client-handshake from the "
            "server's settings, or set character_set_server = utf8mb4");
    }
    const bool is_here = facts.host == "localhost" || facts.host.starts_with("127.") ||
                         facts.host == "::1" || facts.host.empty();
    if (!is_here && facts.cipher.empty()) {
        findings.warnings.push_back("passwords and data go to " + facts.host +
                                    " in plain text: set database.tls = verify");
    }
    if (std::abs(facts.clock_ahead) > most_clock_difference) {
        findings.warnings.push_back("the clock of the server differs from this machine's by " +
                                    std::to_string(facts.clock_ahead) +
                                    " s: times of jobs and leases will look wrong. Let both follow "
                                    "a time server");
    }
}

}  // namespace

Findings check(const ServerFacts& facts, const std::string& database, std::string_view program) {
    Findings findings;
    check_version(facts, findings);
    check_variables(facts, findings);
    check_connection(facts, findings);
    check_rights(facts, database, program, findings);
    return findings;
}

std::string to_text(const Findings& findings) {
    std::string text;
    for (const std::string& one : findings.refusals) text += "error: " + one + "\n";
    for (const std::string& one : findings.warnings) text += "warning: " + one + "\n";
    return text;
}

}  // namespace provisioner::migrate
