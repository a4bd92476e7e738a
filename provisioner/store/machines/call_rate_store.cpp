#include "provisioner/store/machines/call_rate_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto insert_rate = R"sql(
    INSERT INTO call_rate (account, kind, idle_at) VALUES (?, ?, UTC_TIMESTAMP(6))
    ON DUPLICATE KEY UPDATE idle_at = idle_at
)sql";

constexpr auto select_rate = R"sql(
    SELECT idle_at, UTC_TIMESTAMP(6) AS now FROM call_rate
    WHERE account = ? AND kind = ? FOR UPDATE
)sql";

constexpr auto update_rate = R"sql(
    UPDATE call_rate SET idle_at = ? WHERE account = ? AND kind = ?
)sql";

constexpr auto delete_idle = R"sql(
    DELETE FROM call_rate WHERE idle_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
)sql";

}  // namespace

CallRate lock_call_rate(Connection& connection, const std::string& account,
                        const std::string& kind) {
    connection.sql(insert_rate) << account << kind << exec;
    Rows row = connection.sql(select_rate) << account << kind << one_row;
    return {.idle_at = time_column(row, "idle_at"), .now = time_column(row, "now")};
}

void save_call_rate(Connection& connection, const std::string& account, const std::string& kind,
                    base::Timestamp idle_at) {
    connection.sql(update_rate) << base::to_sql(idle_at) << account << kind << exec;
}

void forget_call_rates(Connection& connection) {
    connection.sql(delete_idle) << exec;
}

}  // namespace provisioner::store
