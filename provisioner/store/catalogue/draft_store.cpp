#include "provisioner/store/catalogue/draft_store.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_draft = R"sql(
    SELECT number, name, base_version, base, document, begun_by, begun_at, written_by, written_at,
           note
    FROM template_draft
    WHERE tenant_id = ? AND name = ?
)sql";

constexpr auto select_drafts = R"sql(
    SELECT number, name, base_version, '' AS base, '' AS document, begun_by, begun_at, written_by,
           written_at, note
    FROM template_draft
    WHERE tenant_id = ?
    ORDER BY name
    LIMIT 100000
)sql";

constexpr auto insert_draft = R"sql(
    INSERT INTO template_draft (tenant_id, name, base_version, base, document, begun_by, begun_at,
                                written_by, written_at, note)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
)sql";

constexpr auto delete_draft_of = R"sql(
    DELETE FROM template_draft WHERE tenant_id = ? AND name = ?
)sql";

model::TemplateDraft read_draft(Rows& row) {
    model::TemplateDraft draft{.number = row.get<long long>("number"),
                               .name = row.get<std::string>("name"),
                               .base_version = row.get<int>("base_version"),
                               .begun_by = row.get<std::string>("begun_by"),
                               .begun_at = time_column(row, "begun_at"),
                               .written_by = row.get<std::string>("written_by"),
                               .written_at = time_column(row, "written_at"),
                               .note = row.get<std::string>("note")};
    if (text_column(row, "document").empty()) return draft;
    draft.base = json_column(row, "base");
    draft.document = json_column(row, "document");
    return draft;
}

std::string text_without_version(base::Json document) {
    document.erase("version");
    return base::to_text(document);
}

}  // namespace

std::optional<model::TemplateDraft> find_template_draft(Connection& connection,
                                                        model::TenantId tenant,
                                                        const std::string& name) {
    Rows row = connection.sql(select_draft) << tenant.value << name;
    if (!row.next() || row.get<std::string>("name") != name) return std::nullopt;
    return read_draft(row);
}

std::vector<model::TemplateDraft> list_template_drafts(Connection& connection,
                                                       model::TenantId tenant) {
    Rows row = connection.sql(select_drafts) << tenant.value;
    std::vector<model::TemplateDraft> drafts;
    while (row.next()) drafts.push_back(read_draft(row));
    return drafts;
}

long long put_template_draft(Connection& connection, model::TenantId tenant,
                             const model::TemplateDraft& draft) {
    delete_template_draft(connection, tenant, draft.name);
    const std::string base = text_without_version(draft.base);
    const std::string document = text_without_version(draft.document);
    const std::string note(base::utf8_prefix(draft.note, model::longest_note));
    const std::string begun_at = base::to_sql(draft.begun_at);
    const std::string written_at = base::to_sql(draft.written_at);
    Statement insert = connection.sql(insert_draft)
                       << tenant.value << draft.name << draft.base_version << base << document
                       << draft.begun_by << begun_at << draft.written_by << written_at << note;
    insert.exec();
    return insert.last_insert_id();
}

void delete_template_draft(Connection& connection, model::TenantId tenant,
                           const std::string& name) {
    connection.sql(delete_draft_of) << tenant.value << name << exec;
}

}  // namespace provisioner::store
