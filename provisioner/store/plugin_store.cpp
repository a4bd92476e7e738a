#include "provisioner/store/plugin_store.hpp"

#include "provisioner/store/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_types = R"sql(
    SELECT version, document FROM plugin_type WHERE kind = ? ORDER BY name LIMIT 1000
)sql";

constexpr auto select_type = R"sql(
    SELECT version, document FROM plugin_type WHERE kind = ? AND name = ?
)sql";

// The version is set first: in MySQL an assignment sees the values of those before it.
constexpr auto upsert_type = R"sql(
    INSERT INTO plugin_type (kind, name, version, document, updated_at)
    VALUES (?, ?, 1, ?, ?)
    ON DUPLICATE KEY UPDATE
        version = IF(document = VALUES(document), version, version + 1),
        document = VALUES(document), updated_at = VALUES(updated_at)
)sql";

constexpr auto delete_type = R"sql(
    DELETE FROM plugin_type WHERE kind = ? AND name = ? AND ? IN (0, version)
)sql";

constexpr auto select_live = R"sql(
    SELECT resource_type, name, version, content
    FROM plugin_resource
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND live
    ORDER BY resource_type, name
    LIMIT 10000
)sql";

constexpr auto select_versions = R"sql(
    SELECT COALESCE(MAX(version), 0) AS highest,
           COALESCE(SUM(live AND content = ?), 0) AS same_is_live
    FROM plugin_resource
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
)sql";

constexpr auto retire_versions = R"sql(
    UPDATE plugin_resource
    SET live = FALSE, slated = FALSE
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
)sql";

constexpr auto insert_live = R"sql(
    INSERT INTO plugin_resource (tenant_id, kind, plugin, resource_type, name, version, live,
                                 slated, content, created_at)
    VALUES (?, ?, ?, ?, ?, ?, TRUE, TRUE, ?, ?)
)sql";

constexpr auto copy_rows = R"sql(
    INSERT INTO plugin_resource (tenant_id, kind, plugin, resource_type, name, version, live,
                                 slated, content, created_at)
    SELECT ?, kind, plugin, resource_type, name, version, slated, slated, content, ?
    FROM plugin_resource
    WHERE tenant_id = ? AND NOT deleted
)sql";

model::PluginType read_type(cppdb::result& row, model::PluginKind kind) {
    const base::Json document = json_column(row, "document");
    auto type = model::plugin_type_from_json(kind, document);
    if (!type) throw std::logic_error("stored plugin type: " + base::to_text(type.error()));
    type->header.version = row.get<int>("version");
    return *std::move(type);
}

}  // namespace

std::vector<model::PluginType> list_plugin_types(Connection& connection, model::PluginKind kind) {
    cppdb::result row = connection.session() << select_types << base::to_word(kind);
    std::vector<model::PluginType> types;
    while (row.next()) types.push_back(read_type(row, kind));
    return types;
}

std::optional<model::PluginType> find_plugin_type(Connection& connection, model::PluginKind kind,
                                                  const std::string& name) {
    cppdb::result row = connection.session() << select_type << base::to_word(kind) << name;
    if (!row.next()) return std::nullopt;
    return read_type(row, kind);
}

void save_plugin_type(Connection& connection, const model::PluginType& type, base::Timestamp now) {
    base::Json document = model::to_json(type);
    document.erase("version");
    connection.session() << upsert_type << base::to_word(type.kind) << type.header.name
                         << base::to_text(document) << base::to_sql(now) << cppdb::exec;
}

void delete_plugin_type(Connection& connection, model::PluginKind kind, const std::string& name,
                        std::optional<std::int64_t> version) {
    connection.session() << delete_type << base::to_word(kind) << name << version.value_or(0)
                         << cppdb::exec;
}

std::vector<PluginResource> live_resources(Connection& connection, model::TenantId tenant,
                                           model::PluginKind kind, const std::string& plugin) {
    cppdb::result row = connection.session()
                        << select_live << tenant.value << base::to_word(kind) << plugin;
    std::vector<PluginResource> resources;
    while (row.next()) {
        resources.push_back({
            .resource_type = row.get<std::string>("resource_type"),
            .name = row.get<std::string>("name"),
            .version = row.get<int>("version"),
            .content = row.get<std::string>("content"),
        });
    }
    return resources;
}

void save_live_resource(Connection& connection, model::TenantId tenant, model::PluginKind kind,
                        const std::string& plugin, const PluginResource& resource,
                        base::Timestamp now) {
    const std::string word = base::to_word(kind);
    cppdb::result versions = connection.session()
                             << select_versions << resource.content << tenant.value << word
                             << plugin << resource.resource_type << resource.name << cppdb::row;
    if (versions.get<int>("same_is_live") > 0) return;
    connection.session() << retire_versions << tenant.value << word << plugin
                         << resource.resource_type << resource.name << cppdb::exec;
    connection.session() << insert_live << tenant.value << word << plugin << resource.resource_type
                         << resource.name << versions.get<int>("highest") + 1 << resource.content
                         << base::to_sql(now) << cppdb::exec;
}

void copy_resources(Connection& connection, model::TenantId from, model::TenantId to,
                    base::Timestamp now) {
    connection.session() << copy_rows << to.value << base::to_sql(now) << from.value << cppdb::exec;
}

}  // namespace provisioner::store
