#include "provisioner/store/sign_in/view_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

const std::string select_views = R"sql(
    SELECT session_view.session_id, session_view.tenant_id, session_view.came_from,
           session_view.user_id, session_view.user_name, session_view.began_at,
           session_view.seen_at, session.expires_at, tenant.uid, tenant.name AS tenant_name
    FROM session_view
    JOIN tenant ON tenant.id = session_view.tenant_id
    LEFT JOIN session ON session.id = session_view.session_id
)sql";

const std::string select_view =
    select_views + " WHERE session_view.session_id = ? AND session_view.tenant_id = ?";

const std::string select_views_of_session =
    select_views + " WHERE session_view.session_id = ? ORDER BY session_view.tenant_id";

const std::string select_views_of_tenant =
    select_views + " WHERE session_view.tenant_id = ? ORDER BY session_view.session_id LIMIT 1000";

const std::string select_views_without_session =
    select_views + " WHERE session_view.user_id = ? AND session.id IS NULL LIMIT 1000";

const std::string select_views_that_are_over = select_views + R"sql(
    WHERE session_view.seen_at < ? OR session.id IS NULL OR session.expires_at <= ?
    ORDER BY session_view.seen_at, session_view.session_id, session_view.tenant_id
    LIMIT ?
)sql";

constexpr auto insert_view = R"sql(
    INSERT IGNORE INTO session_view
        (session_id, tenant_id, came_from, user_id, user_name, began_at, seen_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
)sql";

constexpr auto update_look = R"sql(
    UPDATE session_view SET came_from = ?, seen_at = ? WHERE session_id = ? AND tenant_id = ?
)sql";

constexpr auto delete_one = R"sql(
    DELETE FROM session_view WHERE session_id = ? AND tenant_id = ? AND began_at = ?
)sql";

View read_view(Rows& row) {
    View view{.session = model::SessionId{row.get<long long>("session_id")},
              .came_from = row.get<std::string>("came_from"),
              .began_at = time_column(row, "began_at"),
              .seen_at = time_column(row, "seen_at"),
              .session_ends_at = optional_time_column(row, "expires_at")};
    view.tenant.id = model::TenantId{row.get<long long>("tenant_id")};
    view.tenant.uid = row.get<std::string>("uid");
    view.tenant.name = row.get<std::string>("tenant_name");
    view.user.id = model::UserId{row.get<long long>("user_id")};
    view.user.name = row.get<std::string>("user_name");
    view.user.role = model::Role::superadmin;
    return view;
}

std::vector<View> read_views(Rows row) {
    std::vector<View> views;
    while (row.next()) views.push_back(read_view(row));
    return views;
}

}  // namespace

std::optional<View> find_view(Connection& connection, model::SessionId session,
                              model::TenantId tenant) {
    Rows row = connection.sql(select_view) << session.value << tenant.value;
    if (!row.next()) return std::nullopt;
    return read_view(row);
}

std::vector<View> list_views(Connection& connection, model::SessionId session) {
    return read_views(connection.sql(select_views_of_session) << session.value);
}

std::vector<View> list_views_of_tenant(Connection& connection, model::TenantId tenant) {
    return read_views(connection.sql(select_views_of_tenant) << tenant.value);
}

std::vector<View> list_views_without_session(Connection& connection, model::UserId user) {
    return read_views(connection.sql(select_views_without_session) << user.value);
}

std::vector<View> list_views_that_are_over(Connection& connection, base::Timestamp now,
                                           base::Timestamp seen_since, int limit) {
    return read_views(connection.sql(select_views_that_are_over)
                      << base::to_sql(seen_since) << base::to_sql(now) << limit);
}

bool save_view(Connection& connection, const View& view) {
    const std::string began = base::to_sql(view.began_at);
    const std::string seen = base::to_sql(view.seen_at);
    Statement insert = connection.sql(insert_view)
                       << view.session.value << view.tenant.id.value << view.came_from
                       << view.user.id.value << view.user.name << began << seen;
    insert.exec();
    if (insert.affected() > 0) return true;
    update_view(connection, view);
    return false;
}

void update_view(Connection& connection, const View& view) {
    connection.sql(update_look) << view.came_from << base::to_sql(view.seen_at)
                                << view.session.value << view.tenant.id.value << exec;
}

bool delete_view(Connection& connection, const View& view) {
    Statement gone = connection.sql(delete_one)
                     << view.session.value << view.tenant.id.value << base::to_sql(view.began_at);
    gone.exec();
    return gone.affected() > 0;
}

}  // namespace provisioner::store
