#include "provisioner/store/sign_in/session_store.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/tenants/user_rows.hpp"

namespace provisioner::store {

namespace {

constexpr std::size_t longest_address = 64;
constexpr std::size_t longest_agent = 255;

const std::string session_columns = R"sql(
    session.id AS session_id, session.stage, session.address, session.agent,
    session.created_at AS session_created_at, session.last_used_at, session.proven_at,
    session.expires_at AS session_expires_at
)sql";

const std::string select_open_session = "SELECT " + session_columns + R"sql(,
           user.id AS user_id, user.tenant_id, user.name AS user_name, user.role,
           user.password_hash, user.initial_until, user.disabled, tenant.uid,
           tenant.name AS tenant_name, tenant.description, tenant.workers, tenant.max_clusters,
           tenant.max_nodes
    FROM session
    JOIN user ON user.id = session.user_id AND user.disabled = 0
    JOIN tenant ON tenant.id = user.tenant_id AND tenant.deleted_id = 0
    WHERE session.token_hash = ? AND session.expires_at > ? AND session.last_used_at >= ?
)sql";

const std::string select_sessions = "SELECT " + session_columns + R"sql(
    FROM session
    WHERE user_id = ? AND expires_at > ? AND last_used_at >= ?
    ORDER BY last_used_at DESC, id DESC
    LIMIT 1000
)sql";

constexpr auto select_last_uses = R"sql(
    SELECT session.user_id, MAX(session.last_used_at) AS last_used_at
    FROM user
    JOIN session ON session.user_id = user.id
    WHERE user.tenant_id = ? AND session.expires_at > ? AND session.last_used_at >= ?
          AND session.stage <> 'code'
    GROUP BY session.user_id
    ORDER BY session.user_id
    LIMIT 100000
)sql";

constexpr auto select_whole_sessions = R"sql(
    SELECT id FROM session
    WHERE user_id = ? AND expires_at > ? AND stage <> 'code'
    ORDER BY last_used_at DESC, id DESC
    LIMIT 1000
)sql";

constexpr auto insert_row = R"sql(
    INSERT INTO session (token_hash, user_id, stage, address, agent, created_at, last_used_at,
                         proven_at, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
)sql";

constexpr auto update_token = R"sql(
    UPDATE session
    SET token_hash = ?, stage = ?, last_used_at = ?, proven_at = ?, expires_at = ?
    WHERE id = ? AND expires_at > ?
)sql";

model::Session read_session(Rows& row) {
    return {.id = model::SessionId{row.get<long long>("session_id")},
            .stage = base::stored_word<model::SessionStage>(row.get<std::string>("stage")),
            .address = row.get<std::string>("address"),
            .agent = row.get<std::string>("agent"),
            .created_at = time_column(row, "session_created_at"),
            .last_used_at = time_column(row, "last_used_at"),
            .proven_at = time_column(row, "proven_at"),
            .expires_at = time_column(row, "session_expires_at")};
}

/// What fits a column: bytes that are no UTF-8 replaced, cut between characters.
std::string fitting(const std::string& text, std::size_t limit) {
    const std::string clean = base::to_utf8(text);
    return std::string(base::utf8_prefix(clean, limit));
}

}  // namespace

std::optional<model::OpenSession> find_session(Connection& connection,
                                               const std::string& token_hash, base::Timestamp now,
                                               base::Timestamp used_since) {
    Rows row = connection.sql(select_open_session)
               << token_hash << base::to_sql(now) << base::to_sql(used_since);
    if (!row.next()) return std::nullopt;
    return model::OpenSession{
        .session = read_session(row),
        .caller = {.user = user_columns(row), .tenant = tenant_columns_of_user(row)}};
}

model::SessionId insert_session(Connection& connection, model::UserId user,
                                const model::Session& session, const std::string& token_hash) {
    const std::string stage = base::to_word(session.stage);
    const std::string address = fitting(session.address, longest_address);
    const std::string agent = fitting(session.agent, longest_agent);
    Statement insert = connection.sql(insert_row)
                       << token_hash << user.value << stage << address << agent
                       << base::to_sql(session.created_at) << base::to_sql(session.last_used_at)
                       << base::to_sql(session.proven_at) << base::to_sql(session.expires_at);
    insert.exec();
    return model::SessionId{insert.last_insert_id()};
}

void touch_session(Connection& connection, model::SessionId session, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    connection.sql("UPDATE session SET last_used_at = ? WHERE id = ? AND last_used_at < ?")
        << moment << session.value << moment << exec;
}

bool replace_token(Connection& connection, model::SessionId session, const RenewedSession& renewed,
                   base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    const std::string word = base::to_word(renewed.stage);
    Statement update = connection.sql(update_token)
                       << renewed.token_hash << word << moment << base::to_sql(renewed.proven_at)
                       << base::to_sql(renewed.expires_at) << session.value << moment;
    update.exec();
    return update.affected() > 0;
}

bool has_session(Connection& connection, model::SessionId session) {
    Rows row = connection.sql("SELECT id FROM session WHERE id = ? LOCK IN SHARE MODE")
               << session.value;
    return row.next();
}

void set_stage(Connection& connection, model::SessionId session, model::SessionStage stage) {
    const std::string word = base::to_word(stage);
    connection.sql("UPDATE session SET stage = ? WHERE id = ?") << word << session.value << exec;
}

std::vector<model::Session> list_sessions(Connection& connection, model::UserId user,
                                          base::Timestamp now, base::Timestamp used_since) {
    Rows row = connection.sql(select_sessions)
               << user.value << base::to_sql(now) << base::to_sql(used_since);
    std::vector<model::Session> sessions;
    while (row.next()) sessions.push_back(read_session(row));
    return sessions;
}

std::map<model::UserId, base::Timestamp> last_uses_of_sessions(Connection& connection,
                                                               model::TenantId tenant,
                                                               base::Timestamp now,
                                                               base::Timestamp used_since) {
    Rows row = connection.sql(select_last_uses)
               << tenant.value << base::to_sql(now) << base::to_sql(used_since);
    std::map<model::UserId, base::Timestamp> uses;
    while (row.next()) {
        uses[model::UserId{row.get<long long>("user_id")}] = time_column(row, "last_used_at");
    }
    return uses;
}

void delete_session(Connection& connection, const std::string& token_hash) {
    connection.sql("DELETE FROM session WHERE token_hash = ?") << token_hash << exec;
}

bool end_session(Connection& connection, model::UserId user, model::SessionId session) {
    Statement statement = connection.sql("DELETE FROM session WHERE user_id = ? AND id = ?")
                          << user.value << session.value;
    statement.exec();
    return statement.affected() > 0;
}

int end_sessions(Connection& connection, model::UserId user, model::SessionId kept) {
    Statement statement = connection.sql("DELETE FROM session WHERE user_id = ? AND id <> ?")
                          << user.value << kept.value;
    statement.exec();
    return static_cast<int>(statement.affected());
}

int end_oldest_sessions(Connection& connection, model::UserId user, int kept, base::Timestamp now) {
    std::vector<long long> ids;
    {
        Rows row = connection.sql(select_whole_sessions) << user.value << base::to_sql(now);
        while (row.next()) ids.push_back(row.get<long long>("id"));
    }
    int ended = 0;
    for (auto at = static_cast<std::size_t>(kept); at < ids.size(); ++at, ++ended) {
        connection.sql("DELETE FROM session WHERE id = ?") << ids[at] << exec;
    }
    return ended;
}

}  // namespace provisioner::store
