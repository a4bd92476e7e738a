#include "provisioner/migrate/backup/backup.hpp"

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include "provisioner/base/json.hpp"
#include "provisioner/connection/order.hpp"
#include "provisioner/connection/settings.hpp"
#include "provisioner/migrate/backup/client_tools.hpp"
#include "provisioner/migrate/backup/container.hpp"
#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/server/server_facts.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"

namespace provisioner::migrate {

namespace {

constexpr auto count_elsewhere =
    "SELECT COUNT(*) FROM content WHERE place <> 'database' AND state = 'kept'";

base::Json to_json(const std::vector<Applied>& applied) {
    base::Json json = base::Json::array();
    for (const Applied& one : applied) {
        json.push_back({{"version", one.version}, {"name", one.name}, {"checksum", one.checksum}});
    }
    return json;
}

}  // namespace

Saved back_up(const base::Config& config, const std::string& path, base::Timestamp now) {
    const connection::Settings settings = connection::settings_of(config);
    const auto connection = queue::connect(config, migration_limit);
    take_migration_lock(*connection);
    if (is_interrupted(*connection)) {
        throw std::runtime_error("a migration or a restore was interrupted: finish it first");
    }
    const auto applied = read_applied(*connection);
    if (applied.empty()) throw std::runtime_error("the database has no schema: nothing to save");
    const auto elsewhere = queue::select(*connection, count_elsewhere);
    elsewhere->next();
    const ServerKind kind = kind_of(*connection);
    ContainerWriter writer(path, {{"kind", "data"},
                                  {"created_at", base::to_sql(now)},
                                  {"server", kind == ServerKind::mariadb ? "mariadb" : "mysql"},
                                  {"migrations", to_json(applied)}});
    const auto& address = settings.addresses[connection::order_of(settings.addresses).front()];
    dump(settings, address, kind, "schema_progress",
         [&](std::string_view bytes) { writer.add(bytes); });
    writer.finish();
    return {.schema = applied.back().name, .contents_elsewhere = elsewhere->getInt64(1)};
}

}  // namespace provisioner::migrate
