#include "provisioner/store/machines/unknown_machine_store.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_ids_in_account = R"sql(
    SELECT machine_id FROM unknown_machine WHERE account_id = ? ORDER BY machine_id LIMIT 1000000
)sql";

constexpr auto insert_seen = R"sql(
    INSERT INTO unknown_machine (account_id, tenant_id, machine_id, name, addresses, part,
                                 size_gb, first_seen_at, last_seen_at)
    VALUES )sql";

constexpr auto on_seen_again = R"sql(
    ON DUPLICATE KEY UPDATE tenant_id = VALUES(tenant_id), name = VALUES(name),
                            addresses = VALUES(addresses), part = VALUES(part),
                            size_gb = VALUES(size_gb), last_seen_at = VALUES(last_seen_at)
)sql";

constexpr auto select_now = R"sql(
    SELECT UTC_TIMESTAMP(6) AS moment
)sql";

constexpr auto delete_unseen = R"sql(
    DELETE FROM unknown_machine WHERE account_id = ? AND last_seen_at < ?
)sql";

constexpr auto select_unknown = R"sql(
    SELECT unknown_machine.id, unknown_machine.tenant_id, COALESCE(tenant.name, '') AS tenant_name,
           unknown_machine.machine_id, unknown_machine.name, unknown_machine.addresses,
           unknown_machine.part, unknown_machine.size_gb,
           unknown_machine.first_seen_at, unknown_machine.last_seen_at,
           account.id AS account_id, account.tenant_id AS account_tenant, account.provider_type,
           account.name AS account_name, account.provider, account.looked_at, account.failures,
           COALESCE(IF(node.id IS NULL, 0, cluster.tenant_id), 0) AS kind_tenant,
           COALESCE(cluster.provider_type, '') AS kind_type,
           COALESCE(cluster.provider_name, '')
               AS kind_provider,
           COALESCE(cluster.region, '') AS kind_region, COALESCE(node.flavor, '') AS kind_flavor,
           COALESCE(node.image, '') AS kind_image
    FROM unknown_machine
    JOIN provider_account AS account ON account.id = unknown_machine.account_id
    LEFT JOIN tenant ON tenant.id = unknown_machine.tenant_id
    LEFT JOIN cluster
        ON unknown_machine.name REGEXP '^[0-9]{8,18}-[0-9]{4,9}$' AND
           cluster.id = CAST(SUBSTRING_INDEX(unknown_machine.name, '-', 1) AS SIGNED) AND
           unknown_machine.tenant_id IN (0, cluster.tenant_id)
    LEFT JOIN node
        ON node.cluster_id = cluster.id AND
           node.nodenum = CAST(SUBSTRING_INDEX(unknown_machine.name, '-', -1) AS SIGNED)
    WHERE ? IN (0, unknown_machine.tenant_id))sql";

constexpr auto after_id = R"sql( AND unknown_machine.id > ?
    ORDER BY unknown_machine.id
    LIMIT ?
)sql";

constexpr auto by_account = R"sql(
    ORDER BY unknown_machine.account_id, unknown_machine.id
    LIMIT ? OFFSET ?
)sql";

constexpr auto count_by_account = R"sql(
    SELECT account_id, COUNT(*) AS machines FROM unknown_machine WHERE ? IN (0, tenant_id)
    GROUP BY account_id
    ORDER BY account_id
    LIMIT 100000
)sql";

constexpr auto count_unknown = R"sql(
    SELECT COUNT(*) AS machines FROM unknown_machine WHERE ? IN (0, tenant_id)
)sql";

std::set<std::string> ids_in(Connection& connection, model::ProviderAccountId account) {
    std::set<std::string> ids;
    Rows row = connection.sql(select_ids_in_account) << account.value;
    while (row.next()) ids.insert(row.get<std::string>("machine_id"));
    return ids;
}

void insert_some(Connection& connection, model::ProviderAccountId account,
                 std::span<const model::UnknownMachine> seen, const std::string& now) {
    const std::string values = repeated("(?, ?, ?, ?, ?, ?, ?, ?, ?)", seen.size());
    Statement insert = connection.sql(insert_seen + values + on_seen_again);
    for (const model::UnknownMachine& machine : seen) {
        insert << account.value << machine.tenant.value << machine.machine << machine.name
               << base::to_text(base::Json(machine.addresses)) << machine.part << machine.size_gb
               << now << now;
    }
    insert.exec();
}

model::UnknownMachine read_unknown(Rows& row) {
    model::UnknownMachine machine{
        .id = row.get<long long>("id"),
        .tenant = model::TenantId{row.get<long long>("tenant_id")},
        .tenant_name = row.get<std::string>("tenant_name"),
        .machine = row.get<std::string>("machine_id"),
        .name = row.get<std::string>("name"),
        .addresses = json_column(row, "addresses").get<std::map<std::string, std::string>>(),
        .first_seen = time_column(row, "first_seen_at"),
        .last_seen = time_column(row, "last_seen_at"),
    };
    machine.part = row.get<std::string>("part");
    machine.size_gb = row.get<int>("size_gb");
    machine.kind_tenant.value = row.get<long long>("kind_tenant");
    if (machine.kind_tenant.value != 0) {
        machine.kind = {.provider_type = row.get<std::string>("kind_type"),
                        .provider = row.get<std::string>("kind_provider"),
                        .region = row.get<std::string>("kind_region"),
                        .flavor = row.get<std::string>("kind_flavor"),
                        .image = row.get<std::string>("kind_image")};
    }
    machine.account.id.value = row.get<long long>("account_id");
    machine.account.tenant.value = row.get<long long>("account_tenant");
    machine.account.provider_type = row.get<std::string>("provider_type");
    machine.account.name = row.get<std::string>("account_name");
    machine.account.provider = row.get<std::string>("provider");
    machine.account.looked_at = optional_time_column(row, "looked_at");
    machine.account.failures = row.get<int>("failures");
    return machine;
}

}  // namespace

std::vector<model::UnknownMachine> save_unknown_machines(
    Connection& connection, model::ProviderAccountId account,
    const std::vector<model::UnknownMachine>& seen) {
    const auto before = ids_in(connection, account);
    Rows clock = connection.sql(select_now) << one_row;
    const auto now = clock.get<std::string>("moment");
    const std::span all(seen);
    for (std::size_t at = 0; at < all.size(); at += rows_per_statement) {
        insert_some(connection, account,
                    all.subspan(at, std::min(rows_per_statement, all.size() - at)), now);
    }
    connection.sql(delete_unseen) << account.value << now << exec;
    std::vector<model::UnknownMachine> fresh;
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(fresh),
                 [&](const auto& machine) { return !before.contains(machine.machine); });
    return fresh;
}

std::vector<model::UnknownMachine> list_unknown_machines(Connection& connection,
                                                         model::TenantId tenant, std::int64_t after,
                                                         int limit) {
    std::vector<model::UnknownMachine> machines;
    Rows row = connection.sql(std::string(select_unknown) + after_id)
               << tenant.value << after << limit;
    while (row.next()) machines.push_back(read_unknown(row));
    return machines;
}

std::vector<model::UnknownMachine> list_unknown_machines_by_account(Connection& connection,
                                                                    model::TenantId tenant,
                                                                    int offset, int limit) {
    std::vector<model::UnknownMachine> machines;
    Rows row = connection.sql(std::string(select_unknown) + by_account)
               << tenant.value << limit << offset;
    while (row.next()) machines.push_back(read_unknown(row));
    return machines;
}

std::map<model::ProviderAccountId, std::int64_t> count_unknown_machines_by_account(
    Connection& connection, model::TenantId tenant) {
    std::map<model::ProviderAccountId, std::int64_t> counts;
    Rows row = connection.sql(count_by_account) << tenant.value;
    while (row.next()) {
        counts[model::ProviderAccountId{row.get<long long>("account_id")}] =
            row.get<long long>("machines");
    }
    return counts;
}

std::int64_t count_unknown_machines(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(count_unknown) << tenant.value << one_row;
    return row.get<long long>("machines");
}

}  // namespace provisioner::store
