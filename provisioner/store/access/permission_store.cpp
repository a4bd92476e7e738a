#include "provisioner/store/access/permission_store.hpp"

#include <algorithm>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

/// A row per grant; one without any for a permission without grants. Append a condition, then
/// in_order.
constexpr auto select_permissions = R"sql(
    SELECT entry_permission.id, entry_permission.kind, entry_permission.name,
           COALESCE(entry_grant.role, '') AS role, COALESCE(user.name, '') AS user_name,
           COALESCE(user_group.name, '') AS group_name
    FROM entry_permission
    LEFT JOIN entry_grant ON entry_grant.permission_id = entry_permission.id
    LEFT JOIN user ON user.id = entry_grant.user_id
    LEFT JOIN user_group ON user_group.id = entry_grant.group_id
    WHERE entry_permission.tenant_id = ?
)sql";

constexpr auto in_order = R"sql(
    ORDER BY entry_permission.kind, entry_permission.name, entry_grant.role, user.name,
             user_group.name
    LIMIT 1000000
)sql";

constexpr auto of_entry = R"sql(
    tenant_id = ? AND kind = ? AND name = ?
)sql";

constexpr auto insert_permission = R"sql(
    INSERT INTO entry_permission (tenant_id, kind, name) VALUES (?, ?, ?)
)sql";

constexpr auto insert_grant = R"sql(
    INSERT INTO entry_grant (permission_id, role, user_id, group_id)
    VALUES (?, NULLIF(?, ''), NULLIF(?, 0), NULLIF(?, 0))
)sql";

constexpr auto select_withheld = R"sql(
    SELECT entry_permission.kind, entry_permission.name
    FROM entry_permission
    WHERE entry_permission.tenant_id = ?
      AND NOT EXISTS (SELECT 1
                      FROM entry_grant
                      LEFT JOIN user_group_member
                        ON user_group_member.group_id = entry_grant.group_id
                       AND user_group_member.user_id = ?
                      WHERE entry_grant.permission_id = entry_permission.id
                        AND (entry_grant.role = ? OR entry_grant.user_id = ?
                             OR user_group_member.user_id IS NOT NULL))
    ORDER BY entry_permission.kind, entry_permission.name
    LIMIT 100000
)sql";

std::vector<model::Permission> read_permissions(Rows row) {
    std::vector<model::Permission> permissions;
    std::int64_t latest = 0;
    while (row.next()) {
        const std::int64_t id = row.get<long long>("id");
        if (id != latest) {
            permissions.push_back({.entry = {.kind = base::stored_word<model::CatalogueKind>(
                                                 row.get<std::string>("kind")),
                                             .name = row.get<std::string>("name")}});
            latest = id;
        }
        model::Permission& permission = permissions.back();
        const auto role = row.get<std::string>("role");
        auto user = row.get<std::string>("user_name");
        auto group = row.get<std::string>("group_name");
        if (!role.empty()) permission.roles.push_back(base::stored_word<model::Role>(role));
        if (!user.empty()) permission.users.push_back(std::move(user));
        if (!group.empty()) permission.groups.push_back(std::move(group));
    }
    for (model::Permission& permission : permissions) std::ranges::sort(permission.roles);
    return permissions;
}

}  // namespace

std::vector<model::Permission> list_permissions(Connection& connection, model::TenantId tenant) {
    return read_permissions(connection.sql(std::string(select_permissions) + in_order)
                            << tenant.value);
}

std::optional<model::Permission> find_permission(Connection& connection, model::TenantId tenant,
                                                 const model::EntryName& entry) {
    constexpr auto this_one = " AND entry_permission.kind = ? AND entry_permission.name = ? ";
    auto found =
        read_permissions(connection.sql(std::string(select_permissions) + this_one + in_order)
                         << tenant.value << base::to_word(entry.kind) << entry.name);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

void replace_permission(Connection& connection, model::TenantId tenant,
                        const model::EntryName& entry, const Grants& grants) {
    delete_permission(connection, tenant, entry);
    Statement insert = connection.sql(insert_permission)
                       << tenant.value << base::to_word(entry.kind) << entry.name;
    insert.exec();
    const std::int64_t id = insert.last_insert_id();
    const auto grant = [&](const std::string& role, model::UserId user, model::GroupId group) {
        connection.sql(insert_grant) << id << role << user.value << group.value << exec;
    };
    for (const model::Role role : grants.roles) grant(base::to_word(role), {}, {});
    for (const model::UserId user : grants.users) grant("", user, {});
    for (const model::GroupId group : grants.groups) grant("", {}, group);
}

void delete_permission(Connection& connection, model::TenantId tenant,
                       const model::EntryName& entry) {
    connection.sql(std::string("DELETE FROM entry_permission WHERE ") + of_entry)
        << tenant.value << base::to_word(entry.kind) << entry.name << exec;
}

model::Withheld withheld_from(Connection& connection, const model::Caller& caller) {
    if (caller.may(model::Right::every_entry)) return {};
    const std::int64_t user = caller.user.id.value;
    Rows row = connection.sql(select_withheld)
               << caller.tenant.id.value << user << base::to_word(caller.user.role) << user;
    std::set<model::EntryName> entries;
    while (row.next()) {
        entries.insert(
            {.kind = base::stored_word<model::CatalogueKind>(row.get<std::string>("kind")),
             .name = row.get<std::string>("name")});
    }
    return model::Withheld(std::move(entries));
}

}  // namespace provisioner::store
