#include "provisioner/store/sign_in/factor_store.hpp"

#include <map>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

const std::string select_factor = R"sql(
    SELECT secret, confirmed, last_step, created_at
    FROM second_factor
    WHERE user_id = ?
)sql";

constexpr auto select_users_with_factor = R"sql(
    SELECT user.id
    FROM user
    WHERE user.tenant_id = ? AND
          (EXISTS (SELECT 1 FROM second_factor
                   WHERE second_factor.user_id = user.id AND second_factor.confirmed = 1) OR
           EXISTS (SELECT 1 FROM security_key WHERE security_key.user_id = user.id))
    ORDER BY user.id
    LIMIT 100000
)sql";

}  // namespace

std::optional<Factor> find_factor(Connection& connection, model::UserId user, bool locked) {
    if (locked) {
        Rows row = connection.sql("SELECT user_id FROM second_factor WHERE user_id = ? FOR UPDATE")
                   << user.value;
        if (!row.next()) return std::nullopt;
    }
    Rows row = connection.sql(select_factor) << user.value;
    if (!row.next()) return std::nullopt;
    return Factor{.secret = row.get<std::string>("secret"),
                  .is_confirmed = row.get<int>("confirmed") != 0,
                  .last_step = row.get<long long>("last_step"),
                  .created_at = time_column(row, "created_at")};
}

void save_factor(Connection& connection, model::UserId user, const Factor& factor) {
    delete_factor(connection, user);
    connection.sql(
        "INSERT INTO second_factor (user_id, secret, confirmed, last_step, created_at) "
        "VALUES (?, ?, ?, ?, ?)")
        << user.value << factor.secret << (factor.is_confirmed ? 1 : 0) << factor.last_step
        << base::to_sql(factor.created_at) << exec;
}

void use_factor(Connection& connection, model::UserId user, std::int64_t step) {
    connection.sql("UPDATE second_factor SET confirmed = 1, last_step = ? WHERE user_id = ?")
        << step << user.value << exec;
}

bool delete_factor(Connection& connection, model::UserId user) {
    Statement statement = connection.sql("DELETE FROM second_factor WHERE user_id = ?")
                          << user.value;
    statement.exec();
    return statement.affected() > 0;
}

void delete_all_factors(Connection& connection, model::UserId user) {
    delete_factor(connection, user);
    connection.sql("DELETE FROM security_key WHERE user_id = ?") << user.value << exec;
    connection.sql("DELETE FROM recovery_code WHERE user_id = ?") << user.value << exec;
}

int count_recovery_codes(Connection& connection, model::UserId user) {
    Rows row = connection.sql("SELECT COUNT(*) AS codes FROM recovery_code WHERE user_id = ?")
               << user.value << one_row;
    return row.get<int>("codes");
}

void save_recovery_codes(Connection& connection, model::UserId user,
                         const std::vector<std::string>& hashes) {
    connection.sql("DELETE FROM recovery_code WHERE user_id = ?") << user.value << exec;
    for (const std::string& hash : hashes) {
        connection.sql("INSERT INTO recovery_code (user_id, code_hash) VALUES (?, ?)")
            << user.value << hash << exec;
    }
}

bool use_recovery_code(Connection& connection, model::UserId user, const std::string& hash) {
    Statement statement =
        connection.sql("DELETE FROM recovery_code WHERE user_id = ? AND code_hash = ?")
        << user.value << hash;
    statement.exec();
    return statement.affected() > 0;
}

std::vector<model::UserId> users_with_factor(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_users_with_factor) << tenant.value;
    std::vector<model::UserId> users;
    while (row.next()) users.push_back(model::UserId{row.get<long long>("id")});
    return users;
}

int change_factor_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change) {
    std::map<long long, std::string> secrets;
    {
        Rows row = connection.sql(
            "SELECT user_id, secret FROM second_factor ORDER BY user_id LIMIT 1000000 FOR UPDATE");
        while (row.next()) secrets[row.get<long long>("user_id")] = row.get<std::string>("secret");
    }
    int changed = 0;
    for (const auto& [user, secret] : secrets) {
        const auto now = change(secret);
        if (!now) continue;
        connection.sql("UPDATE second_factor SET secret = ? WHERE user_id = ?")
            << *now << user << exec;
        ++changed;
    }
    return changed;
}

}  // namespace provisioner::store
