#include "provisioner/store/plugins/plugin_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_types = R"sql(
    SELECT version, document FROM plugin_type WHERE kind = ? ORDER BY name LIMIT 1000
)sql";

constexpr auto select_type = R"sql(
    SELECT version, document FROM plugin_type WHERE kind = ? AND name = ?
)sql";

// The version is set first: in MySQL an assignment sees the new values of the columns before it.
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
    SELECT resource_type, plugin_resource.name AS resource, version, content.name AS content, place,
           sha256, size, is_gzip
    FROM plugin_resource
    JOIN content ON content.id = content_id
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND live
    ORDER BY resource_type, plugin_resource.name
    LIMIT 10000
)sql";

// Locks the originals, so that their contents stay referenced until the copies refer to them. Files
// of keys stay where they are: they are sealed for their tenant, and are not for others.
constexpr auto copy_rows = R"sql(
    INSERT INTO plugin_resource (tenant_id, kind, plugin, resource_type, name, version, live,
                                 slated, content_id, created_at)
    SELECT ?, kind, plugin, resource_type, name, version, slated, slated, content_id, ?
    FROM plugin_resource
    WHERE tenant_id = ? AND NOT deleted AND (kind <> 'provider' OR resource_type = 'user_data')
    LOCK IN SHARE MODE
)sql";

model::PluginType read_type(Rows& row, model::PluginKind kind) {
    const base::Json document = json_column(row, "document");
    auto type = model::plugin_type_from_json(kind, document);
    if (!type) throw std::logic_error("stored plugin type: " + base::to_text(type.error()));
    type->header.version = row.get<int>("version");
    return *std::move(type);
}

}  // namespace

std::vector<model::PluginType> list_plugin_types(Connection& connection, model::PluginKind kind) {
    Rows row = connection.sql(select_types) << base::to_word(kind);
    std::vector<model::PluginType> types;
    while (row.next()) types.push_back(read_type(row, kind));
    return types;
}

std::optional<model::PluginType> find_plugin_type(Connection& connection, model::PluginKind kind,
                                                  const std::string& name) {
    Rows row = connection.sql(select_type) << base::to_word(kind) << name;
    if (!row.next()) return std::nullopt;
    return read_type(row, kind);
}

void save_plugin_type(Connection& connection, const model::PluginType& type, base::Timestamp now) {
    base::Json document = model::to_json(type);
    document.erase("version");
    connection.sql(upsert_type) << base::to_word(type.kind) << type.header.name
                                << base::to_text(document) << base::to_sql(now) << exec;
}

void delete_plugin_type(Connection& connection, model::PluginKind kind, const std::string& name,
                        std::optional<std::int64_t> version) {
    connection.sql(delete_type) << base::to_word(kind) << name << version.value_or(0) << exec;
}

std::vector<PluginResource> live_resources(Connection& connection, model::TenantId tenant,
                                           model::PluginKind kind, const std::string& plugin) {
    Rows row = connection.sql(select_live) << tenant.value << base::to_word(kind) << plugin;
    std::vector<PluginResource> resources;
    while (row.next()) {
        resources.push_back({
            .resource_type = row.get<std::string>("resource_type"),
            .name = row.get<std::string>("resource"),
            .version = row.get<int>("version"),
            .content = content_columns(row, "content"),
        });
    }
    return resources;
}

void copy_resources(Connection& connection, model::TenantId from, model::TenantId to,
                    base::Timestamp now) {
    connection.sql(copy_rows) << to.value << base::to_sql(now) << from.value << exec;
}

}  // namespace provisioner::store
