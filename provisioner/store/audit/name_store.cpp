#include "provisioner/store/audit/name_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// These skip from name to name in an index: they would read all events of the chain without
// tenant_id among their columns.
constexpr auto objects_of_chain = R"sql(
    SELECT DISTINCT tenant_id, object_name AS name
    FROM audit_event FORCE INDEX (audit_event_object) WHERE tenant_id = ?
)sql";

constexpr auto objects_of_all = R"sql(
    SELECT DISTINCT tenant_id, object_name AS name
    FROM audit_event FORCE INDEX (audit_event_object)
)sql";

constexpr auto users_of_chain = R"sql(
    SELECT DISTINCT tenant_id, user_name AS name
    FROM audit_event FORCE INDEX (audit_event_user) WHERE tenant_id = ?
)sql";

constexpr auto users_of_all = R"sql(
    SELECT DISTINCT tenant_id, user_name AS name FROM audit_event FORCE INDEX (audit_event_user)
)sql";

constexpr auto distinct_actions = R"sql(
    SELECT DISTINCT tenant_id, action AS word FROM audit_event FORCE INDEX (audit_event_action)
    WHERE tenant_id = ? ORDER BY action LIMIT 300
)sql";

constexpr auto distinct_kinds = R"sql(
    SELECT DISTINCT tenant_id, object_kind AS word FROM audit_event FORCE INDEX (audit_event_kind)
    WHERE tenant_id = ? ORDER BY object_kind LIMIT 300
)sql";

NamesOfPart names_with(Connection& connection, const std::string& all,
                       const std::optional<model::TenantId>& chain, const std::string& part) {
    const std::string sql = "SELECT DISTINCT name FROM (" + all +
                            ") AS names WHERE name COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'"
                            " ORDER BY name LIMIT ?";
    Statement select = connection.sql(sql);
    if (chain) select << chain->value;
    const std::string pattern = containing(part);
    select << pattern << most_names_of_part + 1;
    NamesOfPart found;
    Rows rows = select.query();
    while (rows.next()) found.names.push_back(rows.get<std::string>("name"));
    found.has_more = found.names.size() > most_names_of_part;
    if (found.has_more) found.names.pop_back();
    return found;
}

}  // namespace

AuditWords audit_words(Connection& connection, model::TenantId chain) {
    const auto read = [&](const char* statement) {
        std::vector<std::string> words;
        Rows rows = connection.sql(statement) << chain.value;
        while (rows.next()) {
            auto word = rows.get<std::string>("word");
            if (!word.empty()) words.push_back(std::move(word));
        }
        return words;
    };
    return {.actions = read(distinct_actions), .object_kinds = read(distinct_kinds)};
}

NamesOfPart object_names_with(Connection& connection, const std::optional<model::TenantId>& chain,
                              const std::string& part) {
    return names_with(connection, chain ? objects_of_chain : objects_of_all, chain, part);
}

NamesOfPart user_names_with(Connection& connection, const std::optional<model::TenantId>& chain,
                            const std::string& part) {
    return names_with(connection, chain ? users_of_chain : users_of_all, chain, part);
}

}  // namespace provisioner::store
