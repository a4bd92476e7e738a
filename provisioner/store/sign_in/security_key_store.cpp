#include "provisioner/store/sign_in/security_key_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

const std::string select_security_keys = R"sql(
    SELECT id, name, host, credential, algorithm, public_key, count, is_backed_up, created_at,
           last_used_at
    FROM security_key
    WHERE user_id = ?
    ORDER BY id
    LIMIT 1000
)sql";

constexpr auto insert_security_key_row = R"sql(
    INSERT IGNORE INTO security_key (user_id, name, host, credential, algorithm, public_key, count,
                                     is_backed_up, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
)sql";

model::SecurityKey read_security_key(Rows& row) {
    return {.id = row.get<long long>("id"),
            .name = row.get<std::string>("name"),
            .host = row.get<std::string>("host"),
            .credential = row.get<std::string>("credential"),
            .algorithm = row.get<int>("algorithm"),
            .public_key = row.get<std::string>("public_key"),
            .count = static_cast<std::uint32_t>(row.get<long long>("count")),
            .is_backed_up = row.get<int>("is_backed_up") != 0,
            .created_at = time_column(row, "created_at"),
            .last_used_at = optional_time_column(row, "last_used_at")};
}

}  // namespace

std::vector<model::SecurityKey> list_security_keys(Connection& connection, model::UserId user,
                                                   bool locked) {
    Rows row = connection.sql(select_security_keys + (locked ? " FOR UPDATE" : "")) << user.value;
    std::vector<model::SecurityKey> keys;
    while (row.next()) keys.push_back(read_security_key(row));
    return keys;
}

bool insert_security_key(Connection& connection, model::UserId user,
                         const model::SecurityKey& key) {
    Statement statement = connection.sql(insert_security_key_row)
                          << user.value << key.name << key.host << key.credential << key.algorithm
                          << key.public_key << static_cast<long long>(key.count)
                          << (key.is_backed_up ? 1 : 0) << base::to_sql(key.created_at);
    statement.exec();
    return statement.affected() > 0;
}

void use_security_key(Connection& connection, std::int64_t key, std::uint32_t count,
                      base::Timestamp now) {
    connection.sql("UPDATE security_key SET count = ?, last_used_at = ? WHERE id = ?")
        << static_cast<long long>(count) << base::to_sql(now) << key << exec;
}

bool delete_security_key(Connection& connection, model::UserId user, std::int64_t key) {
    Statement statement = connection.sql("DELETE FROM security_key WHERE user_id = ? AND id = ?")
                          << user.value << key;
    statement.exec();
    return statement.affected() > 0;
}

model::SecondFactorFor second_factor_of_tenant(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql("SELECT second_factor FROM tenant WHERE id = ?") << tenant.value;
    if (!row.next()) return model::SecondFactorFor::nobody;
    return base::from_word<model::SecondFactorFor>(row.get<std::string>("second_factor"))
        .value_or(model::SecondFactorFor::everybody);
}

void save_second_factor_of_tenant(Connection& connection, model::TenantId tenant,
                                  model::SecondFactorFor who) {
    connection.sql("UPDATE tenant SET second_factor = ? WHERE id = ?")
        << std::string(base::to_word(who)) << tenant.value << exec;
}

}  // namespace provisioner::store
