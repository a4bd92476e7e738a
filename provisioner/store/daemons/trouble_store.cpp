#include "provisioner/store/daemons/trouble_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_told = R"sql(
    SELECT kind, subject FROM told_trouble ORDER BY kind, subject LIMIT 100000
)sql";

constexpr auto insert_told = R"sql(
    INSERT IGNORE INTO told_trouble (kind, subject, told_at) VALUES (?, ?, UTC_TIMESTAMP(6))
)sql";

constexpr auto delete_told = R"sql(
    DELETE FROM told_trouble WHERE kind = ? AND subject = ?
)sql";

constexpr auto select_readers = R"sql(
    SELECT user.id, user.role, mail_choice.address, tenant.name AS tenant_name
    FROM user
    JOIN tenant ON tenant.id = user.tenant_id AND tenant.deleted_id = 0
    JOIN mail_choice ON mail_choice.user_id = user.id
    WHERE user.role IN ('superadmin', 'admin') AND user.disabled = FALSE AND mail_choice.address <> '' AND
          mail_choice.of_installation = TRUE
    ORDER BY user.id
    LIMIT 10000
)sql";

bool changes_a_row(Statement statement) {
    statement.exec();
    return statement.affected() > 0;
}

}  // namespace

base::Timestamp moment_of_troubles(Connection& connection) {
    Rows row = connection.sql("SELECT UTC_TIMESTAMP(6) AS at") << one_row;
    return time_column(row, "at");
}

std::vector<TroubleName> list_told_troubles(Connection& connection) {
    std::vector<TroubleName> told;
    Rows row = connection.sql(select_told);
    while (row.next()) {
        told.push_back(
            {.kind = row.get<std::string>("kind"), .subject = row.get<std::string>("subject")});
    }
    return told;
}

bool note_trouble(Connection& connection, const TroubleName& trouble) {
    return changes_a_row(connection.sql(insert_told) << trouble.kind << trouble.subject);
}

bool forget_trouble(Connection& connection, const TroubleName& trouble) {
    return changes_a_row(connection.sql(delete_told) << trouble.kind << trouble.subject);
}

std::vector<TroubleReader> list_trouble_readers(Connection& connection) {
    std::vector<TroubleReader> readers;
    Rows row = connection.sql(select_readers);
    while (row.next()) {
        readers.push_back({.user = model::UserId{row.get<long long>("id")},
                           .address = row.get<std::string>("address")});
        if (row.get<std::string>("role") == "admin") {
            readers.back().tenant = row.get<std::string>("tenant_name");
        }
    }
    return readers;
}

}  // namespace provisioner::store
