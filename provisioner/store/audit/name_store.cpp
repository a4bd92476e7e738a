#include "provisioner/store/audit/name_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// A column of names, and the index that begins with the chain and with it.
struct NameColumn {
    std::string name;
    std::string index;
};

const NameColumn object_names{"object_name", "audit_event_object"};
const NameColumn user_names{"user_name", "audit_event_user"};

// It skips from name to name in the index, whose entries end with the number: it would read all
// events of the chain without tenant_id among its columns.
std::string all_names(const NameColumn& column, bool of_chain) {
    return "SELECT tenant_id, " + column.name + " AS name, MAX(number) AS number" +
           " FROM audit_event FORCE INDEX (" + column.index + ")" +
           (of_chain ? " WHERE tenant_id = ?" : "") + " GROUP BY tenant_id, " + column.name;
}

// Behind all_names() in brackets.
constexpr auto with_newest_event = R"sql(
    AS names STRAIGHT_JOIN audit_event AS newest
    ON newest.tenant_id = names.tenant_id AND newest.number = names.number
    WHERE names.name COLLATE utf8mb4_general_ci LIKE ? ESCAPE '!'
)sql";

constexpr auto since_moment = " AND newest.at >= ?";

// Of EXISTS the server would make a join that reads the whole table.
constexpr auto of_kind = R"sql(
    AND (
        SELECT 1 FROM audit_event AS one FORCE INDEX (audit_event_object)
        WHERE one.tenant_id = names.tenant_id AND one.object_name = names.name
        AND one.object_kind = ? LIMIT 1) = 1
)sql";

constexpr auto newest_first = R"sql(
    GROUP BY names.name ORDER BY MAX(newest.at) DESC, MAX(newest.number) DESC, names.name LIMIT ?
)sql";

constexpr auto distinct_actions = R"sql(
    SELECT DISTINCT tenant_id, action AS word FROM audit_event FORCE INDEX (audit_event_action)
    WHERE tenant_id = ? ORDER BY action LIMIT 300
)sql";

constexpr auto distinct_kinds = R"sql(
    SELECT DISTINCT tenant_id, object_kind AS word FROM audit_event FORCE INDEX (audit_event_kind)
    WHERE tenant_id = ? ORDER BY object_kind LIMIT 300
)sql";

NamesOfPart names_with(Connection& connection, const NameColumn& column, const NameFilter& filter) {
    const std::string sql = "SELECT names.name FROM (" +
                            all_names(column, filter.chain.has_value()) + ")" + with_newest_event +
                            (filter.from ? since_moment : "") +
                            (filter.object_kind.empty() ? "" : of_kind) + newest_first;
    Statement select = connection.sql(sql);
    if (filter.chain) select << filter.chain->value;
    const std::string pattern = containing(filter.part);
    const std::string from = filter.from ? base::to_sql(*filter.from) : "";
    select << pattern;
    if (filter.from) select << from;
    if (!filter.object_kind.empty()) select << filter.object_kind;
    select << most_names_of_part + 1;
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

NamesOfPart object_names_with(Connection& connection, const NameFilter& filter) {
    return names_with(connection, object_names, filter);
}

NamesOfPart user_names_with(Connection& connection, const NameFilter& filter) {
    NameFilter of_any_kind = filter;
    of_any_kind.object_kind.clear();
    return names_with(connection, user_names, of_any_kind);
}

}  // namespace provisioner::store
