#include "provisioner/store/machines/account_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto insert_installation = R"sql(
    INSERT IGNORE INTO installation (only_one, id) VALUES (1, ?)
)sql";

constexpr auto select_installation = R"sql(
    SELECT id FROM installation
)sql";

// The documents are large and mostly equal, so only their hashes are compared. Of the terminated
// clusters only those of the latest jobs are read, so the cost does not grow with history.
constexpr auto select_clusters_by_provider = R"sql(
    SELECT cluster.id, cluster.tenant_id, JSON_EXTRACT(cluster.snapshot, '$.provider') AS provider,
           cluster.secrets
    FROM (SELECT MAX(id) AS id
          FROM (SELECT live.id, live.tenant_id,
                       SHA2(CONCAT(JSON_EXTRACT(live.snapshot, '$.provider'), live.secrets), 256) AS print
                FROM tenant
                STRAIGHT_JOIN cluster AS live FORCE INDEX (cluster_use)
                  ON live.tenant_id = tenant.id
                 AND live.status IN ('pending', 'active', 'incomplete', 'inconsistent')
                UNION ALL
                SELECT ended.id, ended.tenant_id,
                       SHA2(CONCAT(JSON_EXTRACT(ended.snapshot, '$.provider'), ended.secrets), 256) AS print
                FROM job
                STRAIGHT_JOIN cluster AS ended
                  ON ended.latest_job_id = job.id AND ended.status = 'terminated'
                WHERE job.id > (SELECT COALESCE(MAX(id), 0) - 1000 FROM job)) AS summed
          GROUP BY tenant_id, print) AS newest
    JOIN cluster ON cluster.id = newest.id
    ORDER BY cluster.id DESC
    LIMIT 10000
)sql";

constexpr auto account_columns = R"sql(
    SELECT account.id, account.tenant_id, COALESCE(tenant.name, '') AS tenant_name,
           account.provider_type, account.name, account.provider, account.looked_at,
           account.failures, account.error,
           account.next_look_at <= UTC_TIMESTAMP(6) AS is_due,
           account.known_at < UTC_TIMESTAMP(6) - INTERVAL 1 HOUR AS is_fading
    FROM provider_account AS account
    LEFT JOIN tenant ON tenant.id = account.tenant_id
)sql";

constexpr auto by_id = R"sql(
    ORDER BY account.id
    LIMIT 100000
)sql";

constexpr auto of_tenant = R"sql(
    WHERE ? IN (0, account.tenant_id)
    ORDER BY account.tenant_id, account.provider_type, account.name
    LIMIT 100000
)sql";

constexpr auto select_any_due = R"sql(
    SELECT COALESCE(MIN(next_look_at) <= UTC_TIMESTAMP(6), 0) AS is_due FROM provider_account
)sql";

constexpr auto upsert_account = R"sql(
    INSERT INTO provider_account (tenant_id, provider_type, name, provider, known_at, next_look_at,
                                  failures, error)
    VALUES (?, ?, ?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 0, '')
    ON DUPLICATE KEY UPDATE provider = VALUES(provider), known_at = VALUES(known_at)
)sql";

constexpr auto select_account_id = R"sql(
    SELECT id FROM provider_account WHERE tenant_id = ? AND provider_type = ? AND name = ?
)sql";

constexpr auto take_due_account = R"sql(
    UPDATE provider_account
    SET next_look_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE id = ? AND next_look_at <= UTC_TIMESTAMP(6)
)sql";

constexpr auto update_looked = R"sql(
    UPDATE provider_account
    SET looked_at = UTC_TIMESTAMP(6), failures = 0, error = '',
        next_look_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE id = ?
)sql";

constexpr auto update_failed = R"sql(
    UPDATE provider_account
    SET failures = ?, error = ?, next_look_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE id = ?
)sql";

constexpr auto delete_forgotten = R"sql(
    DELETE FROM provider_account WHERE known_at < UTC_TIMESTAMP(6) - INTERVAL ? SECOND
)sql";

model::ProviderAccount read_account(Rows& row) {
    return {
        .id = model::ProviderAccountId{row.get<long long>("id")},
        .tenant = model::TenantId{row.get<long long>("tenant_id")},
        .tenant_name = row.get<std::string>("tenant_name"),
        .provider_type = row.get<std::string>("provider_type"),
        .name = row.get<std::string>("name"),
        .provider = row.get<std::string>("provider"),
        .looked_at = optional_time_column(row, "looked_at"),
        .failures = row.get<int>("failures"),
        .error = row.get<std::string>("error"),
    };
}

}  // namespace

std::string installation_id(Connection& connection) {
    connection.sql(insert_installation) << base::random_hex(16) << exec;
    Rows row = connection.sql(select_installation) << one_row;
    return row.get<std::string>("id");
}

std::vector<model::Cluster> clusters_by_provider(Connection& connection) {
    std::vector<model::Cluster> clusters;
    Rows row = connection.sql(select_clusters_by_provider).query();
    while (row.next()) {
        const auto json = base::parse_json(text_column(row, "provider"));
        const auto provider = model::provider_from_json(json.value_or(base::Json::object()));
        // A snapshot that cannot be read leads to no account.
        if (!provider) continue;
        model::Cluster cluster;
        cluster.id = model::ClusterId{row.get<long long>("id")};
        cluster.tenant = model::TenantId{row.get<long long>("tenant_id")};
        cluster.snapshot.provider = *provider;
        cluster.secrets = json_column(row, "secrets");
        clusters.push_back(std::move(cluster));
    }
    return clusters;
}

std::vector<AccountRow> list_accounts(Connection& connection) {
    std::vector<AccountRow> accounts;
    Rows row = connection.sql(std::string(account_columns) + by_id).query();
    while (row.next()) {
        accounts.push_back({.account = read_account(row),
                            .is_due = row.get<int>("is_due") != 0,
                            .is_fading = row.get<int>("is_fading") != 0});
    }
    return accounts;
}

bool is_account_due(Connection& connection) {
    Rows row = connection.sql(select_any_due) << one_row;
    return row.get<int>("is_due") != 0;
}

std::vector<model::ProviderAccount> accounts_of(Connection& connection, model::TenantId tenant) {
    std::vector<model::ProviderAccount> accounts;
    Rows row = connection.sql(std::string(account_columns) + of_tenant) << tenant.value;
    while (row.next()) accounts.push_back(read_account(row));
    return accounts;
}

model::ProviderAccountId note_account(Connection& connection,
                                      const model::ProviderAccount& account) {
    connection.sql(upsert_account) << account.tenant.value << account.provider_type << account.name
                                   << account.provider << exec;
    Rows row = connection.sql(select_account_id)
               << account.tenant.value << account.provider_type << account.name << one_row;
    return model::ProviderAccountId{row.get<long long>("id")};
}

bool take_account(Connection& connection, model::ProviderAccountId account,
                  std::chrono::seconds hold) {
    Statement take = connection.sql(take_due_account) << hold.count() << account.value;
    take.exec();
    return take.affected() == 1;
}

void settle_look(Connection& connection, model::ProviderAccountId account,
                 std::chrono::seconds pause) {
    connection.sql(update_looked) << pause.count() << account.value << exec;
}

void settle_failed_look(Connection& connection, model::ProviderAccountId account, int failures,
                        const std::string& error, std::chrono::seconds pause) {
    connection.sql(update_failed) << failures << fitting_text(error) << pause.count()
                                  << account.value << exec;
}

void forget_accounts(Connection& connection, std::chrono::seconds age) {
    connection.sql(delete_forgotten) << age.count() << exec;
}

}  // namespace provisioner::store
