#include "provisioner/store/forms/form_store.hpp"

#include "provisioner/base/ids.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr int kept_of_a_path = 20;
constexpr int kept_of_a_user = 100;

constexpr auto insert_kept_form = R"sql(
    INSERT INTO kept_form (id, user_id, path, body, created_at)
    SELECT ?, id, ?, ?, ? FROM user WHERE id = ?
)sql";

// Those that were kept for the same path before its newest ones, and before the newest of all.
constexpr auto select_superfluous = R"sql(
    SELECT id FROM (
        SELECT id,
               ROW_NUMBER() OVER (PARTITION BY path ORDER BY created_at DESC, id) AS of_path,
               ROW_NUMBER() OVER (ORDER BY created_at DESC, id) AS of_user
        FROM kept_form WHERE user_id = ?) AS numbered
    WHERE of_path > ? OR of_user > ?
    LIMIT 100
)sql";

constexpr auto select_of_path = R"sql(
    SELECT id, LEFT(body, 600) AS begin_of_body, created_at
    FROM kept_form
    WHERE user_id = ? AND path = ?
    ORDER BY created_at DESC, id
    LIMIT 20
)sql";

// A user who was deleted meanwhile has no row, and the form counts as the first.
constexpr auto insert_sent_form = R"sql(
    INSERT IGNORE INTO sent_form (user_id, name, created_at) VALUES (?, ?, ?)
)sql";

std::vector<std::string> superfluous_forms(Connection& connection, model::UserId user) {
    Rows row = connection.sql(select_superfluous) << user.value << kept_of_a_path << kept_of_a_user;
    std::vector<std::string> ids;
    while (row.next()) ids.push_back(row.get<std::string>("id"));
    return ids;
}

}  // namespace

std::string keep_form(Connection& connection, model::UserId user, const KeptForm& form,
                      base::Timestamp now) {
    std::string id = base::random_hex(16);
    connection.sql(insert_kept_form)
        << id << form.path << form.body << base::to_sql(now) << user.value << exec;
    for (const std::string& old : superfluous_forms(connection, user)) {
        connection.sql("DELETE FROM kept_form WHERE id = ?") << old << exec;
    }
    return id;
}

std::optional<KeptForm> find_form(Connection& connection, model::UserId user,
                                  const std::string& id) {
    Rows row = connection.sql("SELECT path, body FROM kept_form WHERE id = ? AND user_id = ?")
               << id << user.value;
    if (!row.next()) return std::nullopt;
    return KeptForm{.path = row.get<std::string>("path"), .body = row.get<std::string>("body")};
}

std::vector<KeptFormLine> list_forms(Connection& connection, model::UserId user,
                                     const std::string& path) {
    Rows row = connection.sql(select_of_path) << user.value << path;
    std::vector<KeptFormLine> lines;
    while (row.next()) {
        lines.push_back({.id = row.get<std::string>("id"),
                         .begin = row.get<std::string>("begin_of_body"),
                         .created_at = time_column(row, "created_at")});
    }
    return lines;
}

void delete_form(Connection& connection, model::UserId user, const std::string& id) {
    connection.sql("DELETE FROM kept_form WHERE id = ? AND user_id = ?")
        << id << user.value << exec;
}

void replace_form(Connection& connection, model::UserId user, const std::string& id,
                  const std::string& body) {
    connection.sql("UPDATE kept_form SET body = ? WHERE id = ? AND user_id = ?")
        << body << id << user.value << exec;
}

SentForm begin_form(Connection& connection, model::UserId user, const std::string& name,
                    base::Timestamp now) {
    Statement insertion = connection.sql(insert_sent_form)
                          << user.value << name << base::to_sql(now);
    insertion.exec();
    if (insertion.affected() > 0) return {.is_first = true};
    // Without it: it was forgotten this moment, and the next look begins it.
    return find_sent_form(connection, user, name).value_or(SentForm{});
}

std::optional<SentForm> find_sent_form(Connection& connection, model::UserId user,
                                       const std::string& name) {
    Rows row = connection.sql(
                   "SELECT location, location IS NULL AS is_open FROM sent_form "
                   "WHERE user_id = ? AND name = ?")
               << user.value << name;
    if (!row.next()) return std::nullopt;
    if (row.get<int>("is_open") != 0) return SentForm{};
    return SentForm{.is_first = false, .location = text_column(row, "location")};
}

void end_form(Connection& connection, model::UserId user, const std::string& name,
              const std::string& location) {
    connection.sql("UPDATE sent_form SET location = ? WHERE user_id = ? AND name = ?")
        << location << user.value << name << exec;
}

void forget_form(Connection& connection, model::UserId user, const std::string& name) {
    connection.sql("DELETE FROM sent_form WHERE user_id = ? AND name = ?")
        << user.value << name << exec;
}

}  // namespace provisioner::store
