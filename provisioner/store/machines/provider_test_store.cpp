#include "provisioner/store/machines/provider_test_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto upsert_test = R"sql(
    INSERT INTO provider_test (tenant_id, provider, number, asked_at, asked_by, message, offer)
    VALUES (?, ?, 1, UTC_TIMESTAMP(6), ?, '', '{}')
    ON DUPLICATE KEY UPDATE number = number + 1, asked_at = VALUES(asked_at),
        asked_by = VALUES(asked_by), taken_until = NULL, done_at = NULL
)sql";

constexpr auto select_test = R"sql(
    SELECT tenant_id, provider, number, asked_at, asked_by, done_at, passed, message, offer,
           COALESCE(taken_until > UTC_TIMESTAMP(6), 0) AS is_taken
    FROM provider_test WHERE tenant_id = ? AND provider = ?
)sql";

constexpr auto delete_test = R"sql(
    DELETE FROM provider_test WHERE tenant_id = ? AND provider = ?
)sql";

constexpr auto count_due = R"sql(
    SELECT COUNT(*) AS due FROM provider_test
    WHERE done_at IS NULL AND (taken_until IS NULL OR taken_until <= UTC_TIMESTAMP(6))
)sql";

constexpr auto select_due = R"sql(
    SELECT tenant_id, provider, number, asked_at, asked_by, done_at, passed, message, offer,
           0 AS is_taken
    FROM provider_test
    WHERE done_at IS NULL AND (taken_until IS NULL OR taken_until <= UTC_TIMESTAMP(6))
    ORDER BY asked_at LIMIT ? FOR UPDATE SKIP LOCKED
)sql";

constexpr auto update_taken = R"sql(
    UPDATE provider_test SET taken_until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE tenant_id = ? AND provider = ? AND number = ?
)sql";

constexpr auto update_done = R"sql(
    UPDATE provider_test
    SET done_at = UTC_TIMESTAMP(6), taken_until = NULL, passed = ?, message = ?, offer = ?
    WHERE tenant_id = ? AND provider = ? AND number = ? AND done_at IS NULL
)sql";

model::ProviderTest read_test(Rows& row) {
    return {.tenant = model::TenantId{row.get<long long>("tenant_id")},
            .provider = row.get<std::string>("provider"),
            .number = row.get<long long>("number"),
            .asked_at = time_column(row, "asked_at"),
            .asked_by = row.get<std::string>("asked_by"),
            .is_taken = row.get<int>("is_taken") != 0,
            .done_at = optional_time_column(row, "done_at"),
            .passed = row.get<int>("passed") != 0,
            .message = row.get<std::string>("message"),
            .offer = json_column(row, "offer")};
}

}  // namespace

void ask_provider_test(Connection& connection, model::TenantId tenant, const std::string& provider,
                       const std::string& asked_by) {
    connection.sql(upsert_test) << tenant.value << provider << asked_by << exec;
}

std::optional<model::ProviderTest> find_provider_test(Connection& connection,
                                                      model::TenantId tenant,
                                                      const std::string& provider) {
    Rows row = (connection.sql(select_test) << tenant.value << provider).query();
    if (!row.next()) return std::nullopt;
    return read_test(row);
}

void delete_provider_test(Connection& connection, model::TenantId tenant,
                          const std::string& provider) {
    connection.sql(delete_test) << tenant.value << provider << exec;
}

bool is_provider_test_due(Connection& connection) {
    Rows row = connection.sql(count_due) << one_row;
    return row.get<long long>("due") > 0;
}

std::vector<model::ProviderTest> take_provider_tests(Connection& connection, int most,
                                                     std::chrono::seconds hold) {
    std::vector<model::ProviderTest> tests;
    {
        Rows row = (connection.sql(select_due) << most).query();
        while (row.next()) tests.push_back(read_test(row));
    }
    for (const model::ProviderTest& test : tests) {
        connection.sql(update_taken) << static_cast<long long>(hold.count()) << test.tenant.value
                                     << test.provider << test.number << exec;
    }
    return tests;
}

void save_provider_test(Connection& connection, const model::ProviderTest& test) {
    connection.sql(update_done) << static_cast<int>(test.passed) << fitting_text(test.message)
                                << base::to_text(test.offer) << test.tenant.value << test.provider
                                << test.number << exec;
}

}  // namespace provisioner::store
