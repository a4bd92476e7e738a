#include "provisioner/store/tenants/failed_login_store.hpp"

#include <algorithm>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// What an identity provider did not answer to was no failure of the person.
constexpr auto select_failed_login_news = R"sql(
    SELECT STRAIGHT_JOIN
           user.id AS user_id, user.name AS user_name, tenant.name AS tenant_name,
           mail_choice.address, audit_event.client,
           CAST(SUM(audit_event.times) AS SIGNED) AS tries,
           CAST(SUM(IF(audit_event.reason LIKE 'wrong\_code%', audit_event.times, 0)) AS SIGNED)
               AS with_password,
           MAX(audit_event.number) AS last_number, MIN(audit_event.at) AS first_at,
           MAX(audit_event.at) AS last_at
    FROM mail_choice
    JOIN user ON user.id = mail_choice.user_id AND user.disabled = FALSE
    JOIN tenant ON tenant.id = user.tenant_id AND tenant.deleted_id = 0
    JOIN audit_event FORCE INDEX (audit_event_object_id)
      ON audit_event.tenant_id = user.tenant_id AND
         audit_event.object_id = CAST(user.id AS CHAR(20) CHARACTER SET utf8mb4) COLLATE utf8mb4_bin
    WHERE mail_choice.failed_logins = TRUE AND mail_choice.address <> '' AND
          (mail_choice.failed_logins_at IS NULL OR
           mail_choice.failed_logins_at <= UTC_TIMESTAMP(6) - INTERVAL ? MINUTE) AND
          audit_event.number > mail_choice.failed_logins_told AND
          audit_event.action = 'sign-in.refused' AND audit_event.object_kind = 'user' AND
          (audit_event.reason LIKE 'wrong\_password%' OR audit_event.reason LIKE 'wrong\_code%')
    GROUP BY user.id, audit_event.client
    ORDER BY user.id, tries DESC, audit_event.client
    LIMIT 100000
)sql";

constexpr auto update_told_failed_logins = R"sql(
    UPDATE mail_choice
    SET failed_logins_told = ?, failed_logins_at = UTC_TIMESTAMP(6)
    WHERE user_id = ? AND failed_logins = TRUE AND failed_logins_told < ? AND
          (failed_logins_at IS NULL OR failed_logins_at <= UTC_TIMESTAMP(6) - INTERVAL ? MINUTE)
)sql";

}  // namespace

std::vector<FailedLoginNews> list_failed_login_news(Connection& connection,
                                                    std::chrono::minutes pause) {
    std::vector<FailedLoginNews> all;
    Rows row = connection.sql(select_failed_login_news) << pause.count();
    while (row.next()) {
        const model::UserId user{row.get<long long>("user_id")};
        const auto first_at = time_column(row, "first_at");
        if (all.empty() || all.back().user != user) {
            all.push_back({.user = user,
                           .user_name = row.get<std::string>("user_name"),
                           .tenant = row.get<std::string>("tenant_name"),
                           .mail_address = row.get<std::string>("address"),
                           .first_at = first_at});
        }
        FailedLoginNews& news = all.back();
        news.from.push_back({.address = row.get<std::string>("client"),
                             .tries = row.get<long long>("tries"),
                             .with_password = row.get<long long>("with_password")});
        news.last = std::max<std::int64_t>(news.last, row.get<long long>("last_number"));
        news.first_at = std::min(news.first_at, first_at);
        news.last_at = std::max(news.last_at, time_column(row, "last_at"));
    }
    return all;
}

bool note_failed_logins(Connection& connection, const FailedLoginNews& news,
                        std::chrono::minutes pause) {
    auto update = connection.sql(update_told_failed_logins);
    update << news.last << news.user.value << news.last << pause.count();
    update.exec();
    return update.affected() > 0;
}

void skip_failed_logins(Connection& connection, model::UserId user, model::TenantId tenant) {
    std::int64_t newest = 0;
    {
        Rows row = connection.sql(
                       "SELECT COALESCE(MAX(number), 0) AS newest FROM audit_event WHERE "
                       "tenant_id = ?")
                   << tenant.value << one_row;
        newest = row.get<long long>("newest");
    }
    connection.sql("UPDATE mail_choice SET failed_logins_told = ? WHERE user_id = ?")
        << newest << user.value << exec;
}

}  // namespace provisioner::store
