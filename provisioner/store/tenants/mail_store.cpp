#include "provisioner/store/tenants/mail_store.hpp"

#include <algorithm>

#include "provisioner/base/utf8.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr std::size_t longest_subject = 255;
constexpr std::size_t longest_mail_error = 500;

constexpr auto select_mail_choice = R"sql(
    SELECT address, events, of_installation, failed_logins, next_address
    FROM mail_choice WHERE user_id = ?
)sql";

// A row that is not there cannot be locked.
constexpr auto insert_and_lock_mail_choice = R"sql(
    INSERT INTO mail_choice (user_id, address, events, next_address, code_tries, codes_sent)
    VALUES (?, '', '', '', 0, 0)
    ON DUPLICATE KEY UPDATE user_id = user_id
)sql";

constexpr auto replace_mail_choice = R"sql(
    INSERT INTO mail_choice (user_id, address, events, of_installation, failed_logins, next_address,
                             code_tries, codes_sent)
    VALUES (?, ?, ?, ?, ?, ?, 0, 0)
    ON DUPLICATE KEY UPDATE address = VALUES(address), events = VALUES(events),
                            of_installation = VALUES(of_installation),
                            failed_logins = VALUES(failed_logins),
                            next_address = VALUES(next_address)
)sql";

constexpr auto select_mail_code = R"sql(
    SELECT code_hash, code_until, code_tries
    FROM mail_choice
    WHERE user_id = ? AND next_address <> '' AND code_hash IS NOT NULL
)sql";

constexpr auto set_mail_code = R"sql(
    UPDATE mail_choice
    SET code_hash = ?, code_until = ?, code_tries = 0,
        codes_sent = IF(codes_day = UTC_DATE(), codes_sent, 0) + 1, codes_day = UTC_DATE()
    WHERE user_id = ?
)sql";

constexpr auto select_codes_today = R"sql(
    SELECT IF(codes_day = UTC_DATE(), codes_sent, 0) AS codes FROM mail_choice WHERE user_id = ?
)sql";

constexpr auto select_codes_to = R"sql(
    SELECT CAST(COALESCE(SUM(codes_sent), 0) AS SIGNED) AS codes
    FROM mail_choice
    WHERE next_address = ? AND codes_day = UTC_DATE()
)sql";

constexpr auto insert_mail_row = R"sql(
    INSERT INTO mail (user_id, address, subject, body, is_code, attempts, until, next_at, created_at)
    VALUES (?, ?, ?, ?, ?, 0, UTC_TIMESTAMP(6) + INTERVAL ? MINUTE,
            UTC_TIMESTAMP(6) - INTERVAL ? DAY, UTC_TIMESTAMP(6))
)sql";

constexpr auto lock_new_events = R"sql(
    SELECT id FROM callback WHERE is_noted = FALSE ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED
)sql";

// The list of ids follows.
constexpr auto select_wanted_events = R"sql(
    SELECT user.id AS user_id, mail_choice.address, callback.event, callback.message,
           callback.created_at, cluster.id AS cluster_id, cluster.name, cluster.expires_at,
           job.id AS job_id, job.operation, job.goes_on_without
    FROM callback
    JOIN cluster ON cluster.id = callback.cluster_id
    JOIN job ON job.id = callback.job_id
    JOIN user ON user.id = cluster.owner_id
    JOIN mail_choice ON mail_choice.user_id = user.id
    WHERE mail_choice.address <> '' AND FIND_IN_SET(callback.event, mail_choice.events) > 0 AND
          user.disabled = FALSE AND callback.created_at > UTC_TIMESTAMP(6) - INTERVAL 1 DAY AND
          callback.id IN (
)sql";

constexpr auto select_due_mail = R"sql(
    SELECT id, user_id, address, subject, body, is_code, attempts, created_at,
           until <= UTC_TIMESTAMP(6) AS is_over
    FROM mail
    WHERE next_at <= UTC_TIMESTAMP(6)
    ORDER BY next_at, id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)sql";

constexpr auto hold_mail = R"sql(
    UPDATE mail SET attempts = attempts + 1, next_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE id = ?
)sql";

constexpr auto set_mail_due = R"sql(
    UPDATE mail
    SET next_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, error = ?,
        failing_since = COALESCE(failing_since, UTC_TIMESTAMP(6))
    WHERE id = ?
)sql";

constexpr auto select_code_delivery = R"sql(
    SELECT error <> '' AS fails FROM mail WHERE user_id = ? AND is_code = 1 ORDER BY id DESC LIMIT 1
)sql";

std::string event_list(const std::set<model::CallbackEvent>& events) {
    std::string list;
    for (const auto event : events) list += (list.empty() ? "" : ",") + base::to_word(event);
    return list;
}

std::set<model::CallbackEvent> events_in(const std::string& list) {
    std::set<model::CallbackEvent> events;
    for (const auto& [event, word] : base::words<model::CallbackEvent>) {
        if (("," + list + ",").find("," + std::string(word) + ",") != std::string::npos) {
            events.insert(event);
        }
    }
    return events;
}

model::MailEvent read_mail_event(Rows& row) {
    return {.owner = model::UserId{row.get<long long>("user_id")},
            .address = row.get<std::string>("address"),
            .event = base::stored_word<model::CallbackEvent>(row.get<std::string>("event")),
            .cluster = model::ClusterId{row.get<long long>("cluster_id")},
            .cluster_name = row.get<std::string>("name"),
            .job = model::JobId{row.get<long long>("job_id")},
            .operation = base::stored_word<model::Operation>(row.get<std::string>("operation")),
            .without = optional_strings_column(row, "goes_on_without"),
            .message = row.get<std::string>("message"),
            .at = time_column(row, "created_at"),
            .expires_at = optional_time_column(row, "expires_at")};
}

}  // namespace

model::MailChoice find_mail_choice(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_mail_choice) << user.value;
    if (!row.next()) return {};
    return {.address = row.get<std::string>("address"),
            .events = events_in(row.get<std::string>("events")),
            .of_installation = row.get<int>("of_installation") != 0,
            .of_failed_logins = row.get<int>("failed_logins") != 0,
            .next_address = row.get<std::string>("next_address")};
}

model::MailChoice lock_mail_choice(Connection& connection, model::UserId user) {
    connection.sql(insert_and_lock_mail_choice) << user.value << exec;
    return find_mail_choice(connection, user);
}

void save_mail_choice(Connection& connection, model::UserId user, const model::MailChoice& choice) {
    connection.sql(replace_mail_choice)
        << user.value << choice.address << event_list(choice.events)
        << (choice.of_installation ? 1 : 0) << (choice.of_failed_logins ? 1 : 0)
        << choice.next_address << exec;
}

std::optional<model::MailCode> find_mail_code(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_mail_code) << user.value;
    if (!row.next()) return std::nullopt;
    return model::MailCode{.hash = row.get<std::string>("code_hash"),
                           .until = time_column(row, "code_until"),
                           .tries = row.get<int>("code_tries")};
}

void save_mail_code(Connection& connection, model::UserId user, const model::MailCode& code) {
    connection.sql(set_mail_code) << code.hash << base::to_sql(code.until) << user.value << exec;
}

model::CodeDelivery delivery_of_code(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_code_delivery) << user.value;
    if (!row.next()) return model::CodeDelivery::ended;
    return row.get<int>("fails") != 0 ? model::CodeDelivery::failing : model::CodeDelivery::waiting;
}

void drop_mail_code(Connection& connection, model::UserId user) {
    connection.sql("UPDATE mail_choice SET code_hash = NULL, code_until = NULL WHERE user_id = ?")
        << user.value << exec;
}

void count_wrong_mail_code(Connection& connection, model::UserId user) {
    connection.sql("UPDATE mail_choice SET code_tries = code_tries + 1 WHERE user_id = ?")
        << user.value << exec;
}

int mail_codes_today(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_codes_today) << user.value;
    return row.next() ? row.get<int>("codes") : 0;
}

int mail_codes_to(Connection& connection, const std::string& address) {
    Rows row = connection.sql(select_codes_to) << address << one_row;
    return row.get<int>("codes");
}

void insert_mail(Connection& connection, const model::Mail& mail) {
    connection.sql(insert_mail_row)
        << mail.user.value << mail.address
        << std::string(base::utf8_prefix(mail.subject, longest_subject)) << fitting_text(mail.body)
        << (mail.is_code ? 1 : 0) << mail.lives.count() << (mail.is_code ? 1 : 0) << exec;
}

TakenEvents take_mail_events(Connection& connection, int limit) {
    std::vector<long long> ids;
    {
        Rows row = connection.sql(lock_new_events) << limit;
        while (row.next()) ids.push_back(row.get<long long>("id"));
    }
    TakenEvents events{.wanted = {}, .taken = static_cast<int>(ids.size())};
    if (ids.empty()) return events;
    const std::string list = repeated("?", ids.size());
    Statement wanted =
        connection.sql(select_wanted_events + list + ") ORDER BY mail_choice.user_id, callback.id");
    Statement mark =
        connection.sql("UPDATE callback SET is_noted = TRUE WHERE id IN (" + list + ")");
    for (const long long id : ids) {
        wanted << id;
        mark << id;
    }
    Rows row = wanted.query();
    while (row.next()) events.wanted.push_back(read_mail_event(row));
    mark.exec();
    return events;
}

std::optional<model::Mail> take_mail(Connection& connection, std::chrono::seconds hold) {
    Rows row = connection.sql(select_due_mail).query();
    if (!row.next()) return std::nullopt;
    model::Mail mail{.id = row.get<long long>("id"),
                     .user = model::UserId{row.get<long long>("user_id")},
                     .address = row.get<std::string>("address"),
                     .subject = row.get<std::string>("subject"),
                     .body = row.get<std::string>("body"),
                     .is_code = row.get<int>("is_code") != 0,
                     .attempts = row.get<int>("attempts") + 1,
                     .is_over = row.get<int>("is_over") != 0,
                     .created_at = time_column(row, "created_at")};
    Rows user = connection.sql("SELECT disabled FROM user WHERE id = ?")
                << mail.user.value << one_row;
    if (user.get<int>("disabled") != 0) mail.is_over = true;
    connection.sql(hold_mail) << static_cast<long long>(hold.count()) << mail.id << exec;
    return mail;
}

void readdress_mails(Connection& connection, model::UserId user, const std::string& address) {
    connection.sql("UPDATE mail SET address = ? WHERE user_id = ? AND is_code = 0")
        << address << user.value << exec;
}

void delete_mails_of(Connection& connection, model::UserId user, bool only_codes) {
    connection.sql("DELETE FROM mail WHERE user_id = ? AND is_code >= ?")
        << user.value << (only_codes ? 1 : 0) << exec;
}

void delete_mail(Connection& connection, std::int64_t id) {
    connection.sql("DELETE FROM mail WHERE id = ?") << id << exec;
}

void put_off_mail(Connection& connection, std::int64_t id, std::chrono::milliseconds pause,
                  const std::string& error) {
    connection.sql(set_mail_due) << std::chrono::microseconds(pause).count()
                                 << std::string(base::utf8_prefix(error, longest_mail_error)) << id
                                 << exec;
}

}  // namespace provisioner::store
