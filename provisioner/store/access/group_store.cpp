#include "provisioner/store/access/group_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// A row per member; one without a user for a group without members. Append a condition, then
/// by_name.
constexpr auto select_groups = R"sql(
    SELECT user_group.id, user_group.name, user_group.description,
           COALESCE(user.name, '') AS member
    FROM user_group
    LEFT JOIN user_group_member ON user_group_member.group_id = user_group.id
    LEFT JOIN user ON user.id = user_group_member.user_id
    WHERE user_group.tenant_id = ?
)sql";

constexpr auto by_name = R"sql(
    ORDER BY user_group.name, user.name
    LIMIT 1000000
)sql";

constexpr auto insert_group_row = R"sql(
    INSERT INTO user_group (tenant_id, name, description, created_at) VALUES (?, ?, ?, ?)
)sql";

constexpr auto insert_member = R"sql(
    INSERT INTO user_group_member (group_id, user_id) VALUES (?, ?)
)sql";

constexpr auto select_groups_of = R"sql(
    SELECT user_group.name
    FROM user_group_member
    JOIN user_group ON user_group.id = user_group_member.group_id
    WHERE user_group_member.user_id = ?
    ORDER BY user_group.name
    LIMIT 100000
)sql";

std::vector<model::Group> read_groups(Rows row) {
    std::vector<model::Group> groups;
    while (row.next()) {
        const model::GroupId id{row.get<long long>("id")};
        if (groups.empty() || groups.back().id != id) {
            groups.push_back({.id = id,
                              .name = row.get<std::string>("name"),
                              .description = row.get<std::string>("description")});
        }
        auto member = row.get<std::string>("member");
        if (!member.empty()) groups.back().members.push_back(std::move(member));
    }
    return groups;
}

}  // namespace

std::vector<model::Group> list_groups(Connection& connection, model::TenantId tenant) {
    return read_groups(connection.sql(std::string(select_groups) + by_name) << tenant.value);
}

std::optional<model::Group> find_group(Connection& connection, model::TenantId tenant,
                                       const std::string& name) {
    auto groups = read_groups(
        connection.sql(std::string(select_groups) + " AND user_group.name = ? " + by_name)
        << tenant.value << name);
    // The server ignores blanks at the end.
    if (groups.empty() || groups.front().name != name) return std::nullopt;
    return std::move(groups.front());
}

model::GroupId insert_group(Connection& connection, model::TenantId tenant,
                            const model::Group& group, base::Timestamp now) {
    Statement insert = connection.sql(insert_group_row)
                       << tenant.value << group.name << group.description << base::to_sql(now);
    insert.exec();
    return model::GroupId{insert.last_insert_id()};
}

void update_group(Connection& connection, const model::Group& group) {
    connection.sql("UPDATE user_group SET description = ? WHERE id = ?")
        << group.description << group.id.value << exec;
}

void delete_group(Connection& connection, model::GroupId group) {
    connection.sql("DELETE FROM user_group WHERE id = ?") << group.value << exec;
}

void replace_members(Connection& connection, model::GroupId group,
                     const std::vector<model::UserId>& users) {
    connection.sql("DELETE FROM user_group_member WHERE group_id = ?") << group.value << exec;
    for (const model::UserId user : users) {
        connection.sql(insert_member) << group.value << user.value << exec;
    }
}

std::vector<std::string> groups_of(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_groups_of) << user.value;
    std::vector<std::string> names;
    while (row.next()) names.push_back(row.get<std::string>("name"));
    return names;
}

void replace_groups(Connection& connection, model::UserId user,
                    const std::vector<model::GroupId>& groups) {
    connection.sql("DELETE FROM user_group_member WHERE user_id = ?") << user.value << exec;
    for (const model::GroupId group : groups) {
        connection.sql(insert_member) << group.value << user.value << exec;
    }
}

}  // namespace provisioner::store
