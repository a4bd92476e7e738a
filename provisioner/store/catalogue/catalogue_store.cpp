#include "provisioner/store/catalogue/catalogue_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_newest = R"sql(
    SELECT entry.version, entry.document
    FROM catalogue_entry AS entry
    JOIN (SELECT name, MAX(version) AS version
          FROM catalogue_entry
          WHERE tenant_id = ? AND kind = ?
          GROUP BY name) AS newest
      ON newest.name = entry.name AND newest.version = entry.version
    WHERE entry.tenant_id = ? AND entry.kind = ?
    ORDER BY entry.name
    LIMIT 100000
)sql";

// # is a list of `?`.
constexpr auto select_labels = R"sql(
    SELECT entry.kind, entry.name, COALESCE(JSON_VALUE(entry.document, '$.label'), '') AS label
    FROM (SELECT tenant_id, kind, name, MAX(version) AS version
          FROM catalogue_entry
          WHERE tenant_id = ? AND kind IN #
          GROUP BY tenant_id, kind, name) AS newest
    JOIN catalogue_entry AS entry USING (tenant_id, kind, name, version)
    ORDER BY entry.kind, entry.name
    LIMIT 100000
)sql";

constexpr auto select_newest_of_name = R"sql(
    SELECT version, document
    FROM catalogue_entry
    WHERE tenant_id = ? AND kind = ? AND name = ?
    ORDER BY version DESC
    LIMIT 1
)sql";

constexpr auto select_version = R"sql(
    SELECT version, document
    FROM catalogue_entry
    WHERE tenant_id = ? AND kind = ? AND name = ? AND version = ?
)sql";

constexpr auto select_highest_entry = R"sql(
    SELECT COALESCE(MAX(version), 0) AS version
    FROM catalogue_entry
    WHERE tenant_id = ? AND kind = ? AND name = ?
)sql";

constexpr auto insert_entry_row = R"sql(
    INSERT INTO catalogue_entry (tenant_id, kind, name, version, document, created_at)
    VALUES (?, ?, ?, ?, ?, ?)
)sql";

constexpr auto delete_all_versions = R"sql(
    DELETE FROM catalogue_entry WHERE tenant_id = ? AND kind = ? AND name = ?
)sql";

constexpr auto delete_version = R"sql(
    DELETE FROM catalogue_entry WHERE tenant_id = ? AND kind = ? AND name = ? AND version = ?
)sql";

constexpr auto delete_everything = R"sql(
    DELETE FROM catalogue_entry WHERE tenant_id = ?
)sql";

base::Json read_entry(Rows& row) {
    base::Json document = json_column(row, "document");
    document["version"] = row.get<int>("version");
    return document;
}

}  // namespace

std::vector<base::Json> list_entries(Connection& connection, model::TenantId tenant,
                                     model::CatalogueKind kind) {
    const std::string word = base::to_word(kind);
    Rows row = connection.sql(select_newest) << tenant.value << word << tenant.value << word;
    std::vector<base::Json> entries;
    while (row.next()) entries.push_back(read_entry(row));
    return entries;
}

std::vector<EntryLabel> entry_labels(Connection& connection, model::TenantId tenant,
                                     const std::vector<model::CatalogueKind>& kinds) {
    if (kinds.empty()) return {};
    std::vector<std::string> words;
    for (const auto kind : kinds) words.push_back(base::to_word(kind));
    Statement select = connection.sql(with_list(select_labels, kinds.size()));
    select << tenant.value;
    for (const std::string& word : words) select << word;
    Rows row = select.query();
    std::vector<EntryLabel> labels;
    while (row.next()) {
        labels.push_back(
            {.kind = base::stored_word<model::CatalogueKind>(row.get<std::string>("kind")),
             .name = row.get<std::string>("name"),
             .label = row.get<std::string>("label")});
    }
    return labels;
}

// The server ignores blanks at the end of texts that it compares, and a permission does not: what
// is not called so to the letter is not it. The same holds wherever rows are found by name.
std::optional<base::Json> find_entry(Connection& connection, model::TenantId tenant,
                                     model::CatalogueKind kind, const std::string& name,
                                     std::optional<int> version) {
    const std::string word = base::to_word(kind);
    Statement select = connection.sql(version ? select_version : select_newest_of_name)
                       << tenant.value << word << name;
    if (version) select << *version;
    Rows row = select.query();
    if (!row.next()) return std::nullopt;
    auto entry = read_entry(row);
    if (base::text_at(entry, "name") != name) return std::nullopt;
    return entry;
}

int insert_entry(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                 const base::Json& document, base::Timestamp now) {
    const std::string word = base::to_word(kind);
    const std::string name = document.at("name").get<std::string>();
    Rows highest = connection.sql(select_highest_entry) << tenant.value << word << name << one_row;
    const int version = highest.get<int>("version") + 1;
    base::Json stored = document;
    stored.erase("version");
    connection.sql(insert_entry_row) << tenant.value << word << name << version
                                     << base::to_text(stored) << base::to_sql(now) << exec;
    return version;
}

void delete_entry(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version) {
    const std::string word = base::to_word(kind);
    Statement statement = connection.sql(version ? delete_version : delete_all_versions)
                          << tenant.value << word << name;
    if (version) statement << *version;
    statement.exec();
}

void delete_catalogue(Connection& connection, model::TenantId tenant) {
    connection.sql(delete_everything) << tenant.value << exec;
}

}  // namespace provisioner::store
