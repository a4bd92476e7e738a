#include "provisioner/store/catalogue/version_store.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto insert_version_row = R"sql(
    INSERT INTO catalogue_version (tenant_id, kind, name, version, act, restored_version, document,
                                   written_by, written_at, note)
    VALUES (?, ?, ?, ?, ?, ?, NULLIF(?, ''), ?, UTC_TIMESTAMP(6), ?)
)sql";

constexpr auto select_first_too_old = R"sql(
    SELECT id
    FROM catalogue_version
    WHERE tenant_id = ? AND kind = ? AND name = ?
    ORDER BY id DESC
    LIMIT 1 OFFSET ?
)sql";

constexpr auto delete_too_old = R"sql(
    DELETE FROM catalogue_version
    WHERE tenant_id = ? AND kind = ? AND name = ? AND id <= ?
)sql";

constexpr auto select_history = R"sql(
    SELECT id, name, version, act, restored_version, '' AS document, written_by, written_at, note
    FROM catalogue_version
    WHERE tenant_id = ? AND kind = ? AND name = ?
    ORDER BY id DESC
    LIMIT 1000
)sql";

constexpr auto select_latest = R"sql(
    SELECT id, name, version, act, restored_version, '' AS document, written_by, written_at, note
    FROM catalogue_version
    WHERE tenant_id = ? AND kind = ?
    ORDER BY id DESC
    LIMIT ?
)sql";

constexpr auto select_last_of_each = R"sql(
    SELECT id, name, version, act, restored_version, '' AS document, written_by, written_at, note
    FROM catalogue_version
    WHERE id IN (SELECT MAX(id) FROM catalogue_version WHERE tenant_id = ? AND kind = ? GROUP BY name)
)sql";

constexpr auto select_line = R"sql(
    SELECT id, name, version, act, restored_version, document, written_by, written_at, note
    FROM catalogue_version
    WHERE tenant_id = ? AND kind = ? AND name = ? AND id = ?
)sql";

// The list of headers is small; the snapshot beside it is not read.
constexpr auto select_clusters_of_template = R"sql(
    SELECT id, name, owner, status,
           COALESCE(JSON_EXTRACT(headers, '$.clusterTemplate.version'), 0) AS version,
           JSON_EXTRACT(snapshot, '$.clusterTemplate') AS cluster_template
    FROM cluster
    WHERE tenant_id = ? AND status <> 'terminated' AND
          template_name = ? AND id > ?
    ORDER BY id
    LIMIT ?
)sql";

model::CatalogueVersion read_version(Rows& row) {
    model::CatalogueVersion line{
        .id = row.get<long long>("id"),
        .version = row.get<int>("version"),
        .act = base::stored_word<model::VersionAct>(row.get<std::string>("act")),
        .restored_version = row.get<int>("restored_version"),
        .written_by = row.get<std::string>("written_by"),
        .written_at = time_column(row, "written_at"),
        .note = row.get<std::string>("note")};
    if (!text_column(row, "document").empty()) line.document = json_column(row, "document");
    return line;
}

std::vector<std::pair<std::string, model::CatalogueVersion>> read_named_versions(Rows row) {
    std::vector<std::pair<std::string, model::CatalogueVersion>> lines;
    while (row.next()) lines.emplace_back(row.get<std::string>("name"), read_version(row));
    return lines;
}

}  // namespace

void record_version(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                    const std::string& name, const model::CatalogueVersion& line) {
    const std::string word = base::to_word(kind);
    std::string document;
    if (line.document) {
        base::Json stored = *line.document;
        stored.erase("version");
        document = base::to_text(stored);
    }
    connection.sql(insert_version_row)
        << tenant.value << word << name << line.version << base::to_word(line.act)
        << line.restored_version << document << line.written_by
        << std::string(base::utf8_prefix(line.note, model::longest_note)) << exec;
    Rows row = connection.sql(select_first_too_old)
               << tenant.value << word << name << model::versions_kept;
    if (!row.next()) return;
    connection.sql(delete_too_old)
        << tenant.value << word << name << row.get<long long>("id") << exec;
}

std::vector<model::CatalogueVersion> list_versions(Connection& connection, model::TenantId tenant,
                                                   model::CatalogueKind kind,
                                                   const std::string& name) {
    Rows row = connection.sql(select_history) << tenant.value << base::to_word(kind) << name;
    std::vector<model::CatalogueVersion> lines;
    while (row.next()) {
        if (row.get<std::string>("name") == name) lines.push_back(read_version(row));
    }
    return lines;
}

std::optional<model::CatalogueVersion> find_version(Connection& connection, model::TenantId tenant,
                                                    model::CatalogueKind kind,
                                                    const std::string& name, long long id) {
    Rows row = connection.sql(select_line) << tenant.value << base::to_word(kind) << name << id;
    if (!row.next() || row.get<std::string>("name") != name) return std::nullopt;
    return read_version(row);
}

model::PresentVersion find_present_version(Connection& connection, model::TenantId tenant,
                                           model::CatalogueKind kind, const std::string& name) {
    const auto entry = find_entry(connection, tenant, kind, name);
    return model::present_version(entry ? entry->at("version").get<int>() : 0,
                                  list_versions(connection, tenant, kind, name));
}

std::vector<std::pair<std::string, model::CatalogueVersion>> latest_versions(
    Connection& connection, model::TenantId tenant, model::CatalogueKind kind, int most) {
    return read_named_versions(connection.sql(select_latest)
                               << tenant.value << base::to_word(kind) << most);
}

std::vector<std::pair<std::string, model::CatalogueVersion>> last_version_of_each(
    Connection& connection, model::TenantId tenant, model::CatalogueKind kind) {
    return read_named_versions(connection.sql(select_last_of_each)
                               << tenant.value << base::to_word(kind));
}

std::vector<ClusterOfTemplate> clusters_of_template(Connection& connection, model::TenantId tenant,
                                                    const std::string& cluster_template,
                                                    model::ClusterId after, int most) {
    Rows row = connection.sql(select_clusters_of_template)
               << tenant.value << cluster_template << after.value << most;
    std::vector<ClusterOfTemplate> clusters;
    while (row.next()) {
        clusters.push_back({.id = model::ClusterId{row.get<long long>("id")},
                            .name = row.get<std::string>("name"),
                            .owner = row.get<std::string>("owner"),
                            .status = row.get<std::string>("status"),
                            .version = row.get<int>("version"),
                            .cluster_template =
                                model::template_of_snapshot(json_column(row, "cluster_template"))});
    }
    return clusters;
}

}  // namespace provisioner::store
