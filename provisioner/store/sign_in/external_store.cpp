#include "provisioner/store/sign_in/external_store.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/tenants/user_rows.hpp"

namespace provisioner::store {

namespace {

const std::string select_external_users = R"sql(
    SELECT external_user.provider_id, external_user.subject, external_user.confirmed_at,
           external_user.gone_at, user.id AS user_id, user.tenant_id, user.name AS user_name,
           user.role, user.password_hash, user.initial_until, user.disabled
    FROM external_user
    JOIN user ON user.id = external_user.user_id
)sql";

constexpr auto insert_external_user_row = R"sql(
    INSERT INTO external_user (user_id, provider_id, tenant_id, subject, confirmed_at)
    VALUES (?, ?, ?, ?, ?)
)sql";

constexpr auto select_names_of_providers = R"sql(
    SELECT external_user.user_id, identity_provider.name
    FROM external_user
    JOIN identity_provider ON identity_provider.id = external_user.provider_id
    WHERE external_user.tenant_id = ?
    ORDER BY external_user.user_id
    LIMIT 100000
)sql";

constexpr auto select_switched_off = R"sql(
    SELECT 1 AS found
    FROM external_user
    JOIN identity_provider ON identity_provider.id = external_user.provider_id
    WHERE external_user.user_id = ? AND
          JSON_UNQUOTE(JSON_EXTRACT(identity_provider.document, '$.enabled')) = 'false'
)sql";

constexpr auto insert_external_session_row = R"sql(
    INSERT INTO external_session (session_id, provider_id, subject, sid, id_token)
    VALUES (?, ?, ?, ?, '')
)sql";

constexpr auto select_external_session = R"sql(
    SELECT external_session.provider_id, external_session.subject, external_session.sid
    FROM session
    JOIN external_session ON external_session.session_id = session.id
    WHERE session.token_hash = ?
)sql";

constexpr auto select_sessions_of_subject = R"sql(
    SELECT external_session.session_id, user.id AS user_id, user.tenant_id,
           user.name AS user_name, user.role, user.password_hash, user.initial_until,
           user.disabled, tenant.uid, tenant.name AS tenant_name, tenant.description,
           tenant.workers, tenant.max_clusters, tenant.max_nodes
    FROM external_session
    JOIN session ON session.id = external_session.session_id
    JOIN user ON user.id = session.user_id
    JOIN tenant ON tenant.id = user.tenant_id
    WHERE external_session.provider_id = ?
      AND (? = '' OR external_session.sid = ?)
      AND (? = '' OR external_session.subject = ?)
    ORDER BY external_session.session_id
    LIMIT 1000
)sql";

constexpr auto insert_external_sign_in_row = R"sql(
    INSERT INTO external_sign_in (state_hash, provider_id, browser, next_page, address, again,
                                  expires_at, kept_path, kept_body)
    VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, ''), ?)
)sql";

constexpr auto select_external_sign_in = R"sql(
    SELECT provider_id, browser, next_page, address, again, expires_at,
           COALESCE(kept_path, '') AS kept_path, COALESCE(kept_body, '') AS kept_body
    FROM external_sign_in
    WHERE state_hash = ? AND expires_at > ?
)sql";

constexpr std::size_t longest_address_of_sign_in = 64;

ExternalUser read_external_user(Rows& row) {
    return {.user = user_columns(row),
            .provider = model::IdentityProviderId{row.get<long long>("provider_id")},
            .subject = row.get<std::string>("subject"),
            .confirmed_at = time_column(row, "confirmed_at"),
            .gone_at = optional_time_column(row, "gone_at")};
}

std::vector<ExternalUser> read_external_users(Rows row) {
    std::vector<ExternalUser> users;
    while (row.next()) users.push_back(read_external_user(row));
    return users;
}

int count_external_users(Connection& connection, model::IdentityProviderId provider,
                         bool is_locked) {
    Rows row = connection.sql(
                   "SELECT COUNT(*) AS number FROM external_user "
                   "JOIN user ON user.id = external_user.user_id "
                   "WHERE external_user.provider_id = ? AND user.disabled = ?")
               << provider.value << (is_locked ? 1 : 0) << one_row;
    return row.get<int>("number");
}

std::string fitting_address(const std::string& address) {
    return std::string(base::utf8_prefix(base::to_utf8(address), longest_address_of_sign_in));
}

}  // namespace

std::vector<ExternalUser> lock_external_users(Connection& connection,
                                              model::IdentityProviderId provider,
                                              const std::string& subject) {
    auto users = read_external_users(
        connection.sql(select_external_users +
                       "WHERE external_user.provider_id = ? AND external_user.subject = ? "
                       "ORDER BY external_user.user_id LIMIT 1000 FOR UPDATE")
        << provider.value << subject);
    // The server ignores blanks at the end.
    std::erase_if(users, [&](const ExternalUser& one) { return one.subject != subject; });
    return users;
}

std::optional<ExternalUser> find_external_user(Connection& connection, model::UserId user) {
    auto found = read_external_users(
        connection.sql(select_external_users + "WHERE external_user.user_id = ? LIMIT 1")
        << user.value);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::vector<ExternalUser> list_external_users(Connection& connection,
                                              model::IdentityProviderId provider,
                                              model::UserId after, int most) {
    return read_external_users(
        connection.sql(select_external_users +
                       "WHERE external_user.provider_id = ? AND external_user.user_id > ? "
                       "ORDER BY external_user.user_id LIMIT ?")
        << provider.value << after.value << most);
}

std::vector<ExternalUser> external_users_before(Connection& connection,
                                                model::IdentityProviderId provider,
                                                base::Timestamp moment, int most) {
    const std::string before = base::to_sql(moment);
    return read_external_users(
        connection.sql(select_external_users +
                       "WHERE external_user.provider_id = ? AND external_user.confirmed_at < ? "
                       "AND external_user.gone_at IS NULL "
                       "ORDER BY external_user.user_id LIMIT ?")
        << provider.value << before << most);
}

int count_unlocked_external_users(Connection& connection, model::IdentityProviderId provider) {
    return count_external_users(connection, provider, false);
}

int count_locked_external_users(Connection& connection, model::IdentityProviderId provider) {
    return count_external_users(connection, provider, true);
}

std::vector<std::pair<model::UserId, std::string>> external_users_of(Connection& connection,
                                                                     model::TenantId tenant) {
    std::vector<std::pair<model::UserId, std::string>> names;
    Rows row = connection.sql(select_names_of_providers) << tenant.value;
    while (row.next()) {
        names.emplace_back(model::UserId{row.get<long long>("user_id")},
                           row.get<std::string>("name"));
    }
    return names;
}

bool is_provider_off(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_switched_off) << user.value;
    return row.next();
}

void insert_external_user(Connection& connection, const ExternalUser& user) {
    const std::string confirmed_at = base::to_sql(user.confirmed_at);
    connection.sql(insert_external_user_row)
        << user.user.id.value << user.provider.value << user.user.tenant.value << user.subject
        << confirmed_at << exec;
}

void confirm_external_user(Connection& connection, model::UserId user, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    connection.sql("UPDATE external_user SET confirmed_at = ? WHERE user_id = ?")
        << moment << user.value << exec;
}

bool mark_gone(Connection& connection, model::UserId user,
               const std::optional<base::Timestamp>& gone_at) {
    const std::string moment = sql_or_empty(gone_at);
    Statement update =
        connection.sql("UPDATE external_user SET gone_at = NULLIF(?, '') WHERE user_id = ?")
        << moment << user.value;
    update.exec();
    return update.affected() > 0;
}

void insert_external_session(Connection& connection, model::SessionId session,
                             const ExternalSession& external) {
    connection.sql(insert_external_session_row)
        << session.value << external.provider.value << external.subject << external.sid << exec;
}

std::optional<ExternalSession> find_external_session(Connection& connection,
                                                     const std::string& token_hash) {
    Rows row = connection.sql(select_external_session) << token_hash;
    if (!row.next()) return std::nullopt;
    return ExternalSession{.provider = model::IdentityProviderId{row.get<long long>("provider_id")},
                           .subject = row.get<std::string>("subject"),
                           .sid = row.get<std::string>("sid")};
}

std::vector<model::Caller> end_external_sessions(Connection& connection,
                                                 model::IdentityProviderId provider,
                                                 const std::string& subject,
                                                 const std::string& sid) {
    std::vector<std::pair<long long, model::Caller>> found;
    {
        Rows row = connection.sql(select_sessions_of_subject)
                   << provider.value << sid << sid << subject << subject;
        while (row.next()) {
            found.emplace_back(
                row.get<long long>("session_id"),
                model::Caller{.user = user_columns(row), .tenant = tenant_columns_of_user(row)});
        }
    }
    std::vector<model::Caller> users;
    for (auto& [session, caller] : found) {
        connection.sql("DELETE FROM session WHERE id = ?") << session << exec;
        users.push_back(std::move(caller));
    }
    return users;
}

bool insert_external_sign_in(Connection& connection, const std::string& state_hash,
                             const ExternalSignIn& sign_in, int most, base::Timestamp now) {
    const std::string address = fitting_address(sign_in.address);
    {
        Rows row = connection.sql(
                       "SELECT COUNT(*) AS number FROM external_sign_in "
                       "WHERE address = ? AND expires_at > ?")
                   << address << base::to_sql(now);
        if (row.next() && row.get<long long>("number") >= most) return false;
    }
    const std::string expires_at = base::to_sql(sign_in.expires_at);
    const KeptForm kept = sign_in.kept.value_or(KeptForm{});
    connection.sql(insert_external_sign_in_row)
        << state_hash << sign_in.provider.value << sign_in.browser << sign_in.next << address
        << (sign_in.again ? 1 : 0) << expires_at << kept.path << kept.body << exec;
    return true;
}

std::optional<ExternalSignIn> take_external_sign_in(Connection& connection,
                                                    const std::string& state_hash,
                                                    base::Timestamp now) {
    std::optional<ExternalSignIn> found;
    {
        Rows row = connection.sql(select_external_sign_in) << state_hash << base::to_sql(now);
        if (!row.next()) return std::nullopt;
        found =
            ExternalSignIn{.provider = model::IdentityProviderId{row.get<long long>("provider_id")},
                           .browser = row.get<std::string>("browser"),
                           .next = row.get<std::string>("next_page"),
                           .address = row.get<std::string>("address"),
                           .again = row.get<int>("again") != 0,
                           .expires_at = time_column(row, "expires_at")};
        KeptForm kept{.path = row.get<std::string>("kept_path"),
                      .body = row.get<std::string>("kept_body")};
        if (!kept.path.empty()) found->kept = std::move(kept);
    }
    // Of two that come at once, one deletes it.
    Statement taken = connection.sql("DELETE FROM external_sign_in WHERE state_hash = ?")
                      << state_hash;
    taken.exec();
    if (taken.affected() == 0) return std::nullopt;
    return found;
}

bool record_external_message(Connection& connection, const std::string& message_hash,
                             base::Timestamp expires_at) {
    const std::string moment = base::to_sql(expires_at);
    Statement insert =
        connection.sql(
            "INSERT IGNORE INTO external_message (message_hash, expires_at) VALUES (?, ?)")
        << message_hash << moment;
    insert.exec();
    return insert.affected() > 0;
}

int delete_external(Connection& connection, base::Timestamp moment, int limit) {
    const std::string before = base::to_sql(moment);
    int gone = 0;
    for (const char* table : {"external_sign_in", "external_message"}) {
        Statement statement =
            connection.sql(std::string("DELETE FROM ") + table + " WHERE expires_at <= ? LIMIT ?")
            << before << limit;
        statement.exec();
        gone += static_cast<int>(statement.affected());
    }
    return gone;
}

}  // namespace provisioner::store
