#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <regex>

#include "provisioner/base/json.hpp"
#include "provisioner/connection/order.hpp"
#include "provisioner/connection/settings.hpp"
#include "provisioner/migrate/backup/backup.hpp"
#include "provisioner/migrate/backup/client_tools.hpp"
#include "provisioner/migrate/backup/container.hpp"
#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/server/server_facts.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

/// What schema_progress calls a restore that is not finished.
constexpr auto restore_name = "restore";

// Both run on every schema since the first: columns that were always there. By the clock, so that a
// second restore of the same backup goes further than the claims after the first.
constexpr auto raise_fences = R"sql(
    UPDATE task SET fence = fence + 1000 * UNIX_TIMESTAMP(),
                    claimed_until = IF(claimed_until IS NULL, NULL, UTC_TIMESTAMP(6))
)sql";
constexpr auto end_sessions = "DELETE FROM session";

/// Ids that a table may have given out per second. Those of clusters and jobs are shown with eight
/// digits, so they go on least far.
struct Rate {
    const char* table;
    long long ids;
};
constexpr Rate rates[]{{"cluster", 1}, {"job", 1}, {"node", 100}, {"task", 1000}};

std::vector<Applied> applied_of(const base::Json& header) {
    std::vector<Applied> applied;
    const base::Json* rows = base::member(header, "migrations");
    if (rows == nullptr || !rows->is_array()) return applied;
    for (const base::Json& row : *rows) {
        applied.push_back({.version = row.at("version").get<int>(),
                           .name = row.at("name").get<std::string>(),
                           .checksum = row.at("checksum").get<std::string>()});
    }
    return applied;
}

// Throws unless the schema of the backup is ours or an older one of ours.
void check_schema(const Container& backup, const SchemaFiles& files) {
    const auto applied = applied_of(backup.header);
    if (applied.empty()) throw std::runtime_error("the backup does not say which schema it has");
    int newest = 0;
    for (const Migration& file : files.migrations) newest = std::max(newest, file.version);
    if (applied.back().version > newest) {
        throw std::runtime_error("the backup has the schema " + applied.back().name +
                                 ", which is newer than this program: restore it with the version "
                                 "that made it");
    }
    pending(files.migrations, applied);
}

std::vector<std::string> tables_in(sql::Connection& connection) {
    auto names = tables_of(connection, connection.getSchema());
    std::erase(names, "schema_progress");
    return names;
}

bool daemon_was_seen(sql::Connection& connection, const std::vector<std::string>& tables) {
    if (std::find(tables.begin(), tables.end(), "daemon") == tables.end()) return false;
    const auto row = queue::select(connection,
                                   "SELECT COUNT(*) FROM daemon WHERE heartbeat_at > "
                                   "UTC_TIMESTAMP(6) - INTERVAL 30 SECOND");
    return row->next() && row->getInt(1) > 0;
}

void clear(sql::Connection& connection, const std::vector<std::string>& tables) {
    queue::execute(connection, "SET foreign_key_checks = 0");
    for (const std::string& table : tables) {
        queue::execute(connection, "DROP TABLE `" + table + "`");
    }
    queue::execute(connection, "SET foreign_key_checks = 1");
}

// Numbers that no row has any more count, too: they may have been given out.
long long next_id(sql::Connection& connection, const std::string& table) {
    const auto row = queue::select(connection, "SHOW CREATE TABLE `" + table + "`");
    row->next();
    const std::string text(row->getString(2));
    static const std::regex counter("\\n\\).* AUTO_INCREMENT=([0-9]+)");
    std::smatch found;
    return std::regex_search(text, found, counter) ? std::stoll(found[1]) : 1;
}

// As far as ids can have been given since 2026, and some more, whichever backup this is and however
// often it was restored before.
void go_on_far_ahead(sql::Connection& connection) {
    const auto row = queue::select(
        connection, "SELECT 1000000 + GREATEST(0, UNIX_TIMESTAMP() - 1767225600) AS seconds");
    row->next();
    const long long seconds = row->getInt64("seconds");
    for (const Rate& rate : rates) {
        const long long next = next_id(connection, rate.table) + rate.ids * seconds;
        queue::execute(connection, "ALTER TABLE `" + std::string(rate.table) +
                                       "` AUTO_INCREMENT = " + std::to_string(next));
    }
}

void finish(sql::Connection& connection) {
    go_on_far_ahead(connection);
    queue::execute(connection, "START TRANSACTION");
    queue::execute(connection, raise_fences);
    queue::execute(connection, end_sessions);
    queue::execute_with(connection, "DELETE FROM schema_progress WHERE file = ?", restore_name);
    queue::execute(connection, "COMMIT");
}

/// Makes room, or says why not. Until finish() the row of schema_progress says that the tables are
/// not whole.
void make_room(sql::Connection& connection, bool may_replace) {
    const std::string unfinished = Progress(connection, {}).unfinished();
    const auto tables = tables_in(connection);
    if (unfinished != restore_name && !tables.empty() && !may_replace) {
        throw std::runtime_error("the database has " + std::to_string(tables.size()) +
                                 " tables already: restore into an empty one, or use --replace");
    }
    if (unfinished != restore_name && daemon_was_seen(connection, tables)) {
        throw std::runtime_error(
            "a cooperage-provisioner is at work in this database: stop it and cooperage-web first, "
            "and wait half a minute");
    }
    queue::execute(connection, "DELETE FROM schema_progress");
    queue::execute_with(connection,
                        "INSERT INTO schema_progress (file, checksum, done, table_before) "
                        "VALUES (?, '', 0, '')",
                        restore_name);
    clear(connection, tables);
}

}  // namespace

std::vector<std::string> restore(const base::Config& config, const SchemaFiles& files,
                                 const RestoreRequest& request) {
    const Container backup = read_container(request.path, "data");
    check_schema(backup, files);
    const connection::Settings settings = connection::settings_of(config);
    create_database(config);
    {
        const auto connection = queue::connect(config, migration_limit);
        take_migration_lock(*connection);
        make_room(*connection, request.may_replace);
        const auto& address = settings.addresses[connection::order_of(settings.addresses).front()];
        load(settings, address, kind_of(*connection), request.path, backup.begins, backup.size);
        finish(*connection);
    }
    return migrate(config, files);
}

}  // namespace provisioner::migrate
