#include "provisioner/store/plugins/resource_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_versions = R"sql(
    SELECT plugin_resource.name, version, live, slated, live_since, size, sha256,
           plugin_resource.created_at
    FROM plugin_resource
    JOIN content ON content.id = content_id
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ?
      AND ? IN ('', plugin_resource.name) AND NOT deleted
    ORDER BY plugin_resource.name, version
    LIMIT 100000
)sql";

constexpr auto select_content_of_version = R"sql(
    SELECT content.name AS content_name, content.place, content.sha256, content.size,
           content.is_gzip
    FROM plugin_resource
    JOIN content ON content.id = plugin_resource.content_id
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ?
      AND plugin_resource.name = ? AND version = ? AND NOT deleted
)sql";

constexpr auto select_pending = R"sql(
    SELECT kind, plugin, resource_type, plugin_resource.name, version, live, slated, live_since, size,
           sha256, plugin_resource.created_at
    FROM plugin_resource
    JOIN content ON content.id = content_id
    WHERE tenant_id = ? AND live <> slated AND NOT deleted
    ORDER BY kind, plugin, resource_type, plugin_resource.name, version
    LIMIT 10000
)sql";

constexpr auto select_names = R"sql(
    SELECT plugin, resource_type, name, MAX(live OR slated) AS is_given
    FROM plugin_resource
    WHERE tenant_id = ? AND kind = ? AND NOT deleted
    GROUP BY plugin, resource_type, name
    ORDER BY plugin, resource_type, name
    LIMIT 100000
)sql";

constexpr auto select_highest_resource = R"sql(
    SELECT COALESCE(MAX(version), 0) AS highest
    FROM plugin_resource
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
)sql";

constexpr auto select_of_providers = R"sql(
    SELECT DISTINCT plugin_resource.tenant_id, plugin_resource.plugin,
           plugin_resource.resource_type, content.id, content.name AS content_name, content.place,
           content.sha256, content.size, content.is_gzip
    FROM plugin_resource
    JOIN content ON content.id = plugin_resource.content_id
    WHERE plugin_resource.kind = 'provider' AND NOT plugin_resource.deleted
    ORDER BY content.id LIMIT 100000
)sql";

constexpr auto update_reference = R"sql(
    UPDATE plugin_resource SET content_id = ?
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND content_id = ?
)sql";

constexpr auto insert_resource_row = R"sql(
    INSERT INTO plugin_resource (tenant_id, kind, plugin, resource_type, name, version, live,
                                 slated, content_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, FALSE, FALSE, ?, ?)
)sql";

constexpr auto update_slate = R"sql(
    UPDATE plugin_resource
    SET slated = (version = ?)
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
      AND NOT deleted
)sql";

constexpr auto update_unslate = R"sql(
    UPDATE plugin_resource
    SET slated = slated AND version <> ?
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
      AND NOT deleted
)sql";

constexpr auto mark_resource_deleted = R"sql(
    UPDATE plugin_resource
    SET deleted = TRUE, live = FALSE, slated = FALSE, content_id = NULL
    WHERE ? IN (0, version)
      AND tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
)sql";

// What is live already stays so since the same moment. MariaDB assigns from left to right.
constexpr auto make_only_live = R"sql(
    UPDATE plugin_resource
    SET live_since = CASE WHEN version <> ? THEN NULL
                          WHEN live THEN live_since
                          ELSE UTC_TIMESTAMP(6) END,
        live = (version = ?), slated = (version = ?)
    WHERE tenant_id = ? AND kind = ? AND plugin = ? AND resource_type = ? AND name = ?
)sql";

constexpr auto update_live = R"sql(
    UPDATE plugin_resource
    SET live_since = CASE WHEN NOT slated THEN NULL
                          WHEN live THEN live_since
                          ELSE UTC_TIMESTAMP(6) END,
        live = slated
    WHERE tenant_id = ?
)sql";

/// Runs a statement whose first `?` is a version; the others are those of shelf and name.
void execute_for_version(Connection& connection, const char* statement, const ResourceShelf& shelf,
                         const std::string& name, int version) {
    const std::string kind = base::to_word(shelf.kind);
    connection.sql(statement) << version << shelf.tenant.value << kind << shelf.plugin
                              << shelf.resource_type << name << exec;
}

ResourceVersion version_of_row(Rows& row) {
    return {.name = row.get<std::string>("name"),
            .version = row.get<int>("version"),
            .live = row.get<int>("live") != 0,
            .slated = row.get<int>("slated") != 0,
            .size = static_cast<std::uint64_t>(row.get<long long>("size")),
            .sha256 = row.get<std::string>("sha256"),
            .created_at = time_column(row, "created_at"),
            .live_since = optional_time_column(row, "live_since")};
}

}  // namespace

std::vector<ResourceVersion> list_resources(Connection& connection, const ResourceShelf& shelf,
                                            const std::string& name) {
    const std::string kind = base::to_word(shelf.kind);
    Rows row = connection.sql(select_versions)
               << shelf.tenant.value << kind << shelf.plugin << shelf.resource_type << name;
    std::vector<ResourceVersion> versions;
    while (row.next()) versions.push_back(version_of_row(row));
    return versions;
}

std::optional<model::Content> find_resource_content(Connection& connection,
                                                    const ResourceShelf& shelf,
                                                    const std::string& name, int version) {
    const std::string kind = base::to_word(shelf.kind);
    Rows row = connection.sql(select_content_of_version)
               << shelf.tenant.value << kind << shelf.plugin << shelf.resource_type << name
               << version;
    if (!row.next()) return std::nullopt;
    return content_columns(row, "content_name");
}

std::vector<PendingVersion> pending_resources(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_pending) << tenant.value;
    std::vector<PendingVersion> pending;
    while (row.next()) {
        const auto kind = base::from_word<model::PluginKind>(row.get<std::string>("kind"));
        pending.push_back({.shelf = {.tenant = tenant,
                                     .kind = kind.value_or(model::PluginKind::automator),
                                     .plugin = row.get<std::string>("plugin"),
                                     .resource_type = row.get<std::string>("resource_type")},
                           .version = version_of_row(row)});
    }
    return pending;
}

std::vector<NamedResource> named_resources(Connection& connection, model::TenantId tenant,
                                           model::PluginKind kind) {
    Rows row = connection.sql(select_names) << tenant.value << base::to_word(kind);
    std::vector<NamedResource> names;
    while (row.next()) {
        names.push_back({.plugin = row.get<std::string>("plugin"),
                         .resource_type = row.get<std::string>("resource_type"),
                         .name = row.get<std::string>("name"),
                         .is_given = row.get<int>("is_given") != 0});
    }
    return names;
}

std::vector<ShelvedContent> contents_of_providers(Connection& connection) {
    std::vector<ShelvedContent> all;
    Rows row = connection.sql(select_of_providers);
    while (row.next()) {
        all.push_back({.shelf = {.tenant = model::TenantId{row.get<long long>("tenant_id")},
                                 .kind = model::PluginKind::provider,
                                 .plugin = row.get<std::string>("plugin"),
                                 .resource_type = row.get<std::string>("resource_type")},
                       .stored = {.id = model::ContentId{row.get<long long>("id")},
                                  .content = content_columns(row, "content_name")}});
    }
    return all;
}

bool refer_to(Connection& connection, const ShelvedContent& old, model::ContentId fresh) {
    Statement update = connection.sql(update_reference);
    update << fresh.value << old.shelf.tenant.value << base::to_word(old.shelf.kind)
           << old.shelf.plugin << old.shelf.resource_type << old.stored.id.value;
    update.exec();
    return update.affected() > 0;
}

int insert_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                    model::ContentId content, base::Timestamp now) {
    const std::string kind = base::to_word(shelf.kind);
    const std::string created_at = base::to_sql(now);
    Rows highest = connection.sql(select_highest_resource)
                   << shelf.tenant.value << kind << shelf.plugin << shelf.resource_type << name
                   << one_row;
    const int version = highest.get<int>("highest") + 1;
    connection.sql(insert_resource_row)
        << shelf.tenant.value << kind << shelf.plugin << shelf.resource_type << name << version
        << content.value << created_at << exec;
    return version;
}

void insert_live_resource(Connection& connection, const ResourceShelf& shelf,
                          const std::string& name, model::ContentId content, base::Timestamp now) {
    use_resource(connection, shelf, name, insert_resource(connection, shelf, name, content, now));
}

void use_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                  int version) {
    const std::string kind = base::to_word(shelf.kind);
    connection.sql(make_only_live) << version << version << version << shelf.tenant.value << kind
                                   << shelf.plugin << shelf.resource_type << name << exec;
}

void slate_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                    int version) {
    execute_for_version(connection, update_slate, shelf, name, version);
}

void unslate_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                      int version) {
    execute_for_version(connection, update_unslate, shelf, name, version);
}

void delete_resource(Connection& connection, const ResourceShelf& shelf, const std::string& name,
                     int version) {
    execute_for_version(connection, mark_resource_deleted, shelf, name, version);
}

void sync_resources(Connection& connection, model::TenantId tenant) {
    connection.sql(update_live) << tenant.value << exec;
}

}  // namespace provisioner::store
