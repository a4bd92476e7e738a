#include "provisioner/store/tenants/secret_store.hpp"

#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::store {

namespace {

// The lock waits for a transaction that is writing such a row, so its new text is read.
constexpr auto select_providers = R"sql(
    SELECT tenant_id, name, version, document
    FROM catalogue_entry
    WHERE kind = 'provider'
    LIMIT 1000000
    FOR UPDATE
)sql";

constexpr auto update_provider = R"sql(
    UPDATE catalogue_entry
    SET document = ?
    WHERE kind = 'provider' AND tenant_id = ? AND name = ? AND version = ?
)sql";

// The history of providers has their secrets, too. It may be long, so it is walked in portions.
constexpr auto select_lines_of_providers = R"sql(
    SELECT id, tenant_id, name, version, document
    FROM catalogue_version
    WHERE kind = 'provider' AND document IS NOT NULL AND id > ?
    ORDER BY id
    LIMIT 100
    FOR UPDATE
)sql";

constexpr auto update_line_of_provider = R"sql(
    UPDATE catalogue_version SET document = ? WHERE id = ?
)sql";

// Jobs are locked before clusters everywhere.
constexpr auto lock_latest_jobs = R"sql(
    SELECT job.id
    FROM (SELECT latest_job_id FROM cluster WHERE id > ? ORDER BY id LIMIT 100) AS latest
    JOIN job ON job.id = latest.latest_job_id
    ORDER BY job.id
    LIMIT 100
    FOR UPDATE
)sql";

constexpr auto select_clusters = R"sql(
    SELECT id, tenant_id, snapshot, secrets, COALESCE(latest_job_id, 0) AS latest_job
    FROM cluster
    WHERE id > ?
    ORDER BY id
    LIMIT 100
    FOR UPDATE
)sql";

constexpr auto update_cluster_secrets = R"sql(
    UPDATE cluster SET snapshot = ?, secrets = ? WHERE id = ?
)sql";

// Workers read the cluster again (ClusterWatch), before its old key may be removed.
constexpr auto count_change = R"sql(
    UPDATE job SET node_changes = node_changes + 1 WHERE id = ?
)sql";

struct ProviderRow {
    /// Of a line in the history; 0 for an entry.
    long long line = 0;
    model::TenantId tenant;
    std::string name;
    int version = 0;
    base::Json document;
};

struct ClusterRow {
    long long id = 0;
    model::TenantId tenant;
    model::JobId latest_job;
    base::Json snapshot;
    base::Json secrets;
};

std::vector<ProviderRow> lock_providers(Connection& connection) {
    std::vector<ProviderRow> rows;
    Rows row = connection.sql(select_providers);
    while (row.next()) {
        rows.push_back({.tenant = model::TenantId{row.get<long long>("tenant_id")},
                        .name = row.get<std::string>("name"),
                        .version = row.get<int>("version"),
                        .document = json_column(row, "document")});
    }
    return rows;
}

std::vector<ProviderRow> lock_lines(Connection& connection, long long after) {
    std::vector<ProviderRow> rows;
    Rows row = connection.sql(select_lines_of_providers) << after;
    while (row.next()) {
        rows.push_back({.line = row.get<long long>("id"),
                        .tenant = model::TenantId{row.get<long long>("tenant_id")},
                        .name = row.get<std::string>("name"),
                        .version = row.get<int>("version"),
                        .document = json_column(row, "document")});
    }
    return rows;
}

std::vector<ClusterRow> lock_clusters(Connection& connection, long long after) {
    Rows job = connection.sql(lock_latest_jobs) << after;
    while (job.next()) continue;
    std::vector<ClusterRow> rows;
    Rows row = connection.sql(select_clusters) << after;
    while (row.next()) {
        rows.push_back({.id = row.get<long long>("id"),
                        .tenant = model::TenantId{row.get<long long>("tenant_id")},
                        .latest_job = model::JobId{row.get<long long>("latest_job")},
                        .snapshot = json_column(row, "snapshot"),
                        .secrets = json_column(row, "secrets")});
    }
    return rows;
}

bool change_provider(model::TenantId tenant, base::Json& provider, const FieldsChange& change) {
    return change({.tenant = tenant,
                   .provider = provider.at("name").get<std::string>(),
                   .provider_type = provider.at("providertype").get<std::string>(),
                   .fields = provider.at("provisioner")});
}

/// Runs `change_row` for one row and records its result.
template <class ChangeRow>
void walk_row(FieldsWalk& walk, const std::string& name, ChangeRow&& change_row) {
    try {
        if (change_row()) ++walk.changed;
    } catch (const identity::VaultError& error) {
        walk.problems.push_back(name + ": " + error.what());
    }
}

void walk_provider(Connection& connection, ProviderRow& row, const FieldsChange& change,
                   FieldsWalk& walk) {
    walk_row(walk, "provider " + row.name + " version " + std::to_string(row.version), [&] {
        if (!change_provider(row.tenant, row.document, change)) return false;
        const std::string text = base::to_text(row.document);
        if (row.line != 0) {
            connection.sql(update_line_of_provider) << text << row.line << exec;
            return true;
        }
        connection.sql(update_provider)
            << text << row.tenant.value << row.name << row.version << exec;
        return true;
    });
}

void walk_cluster(Connection& connection, ClusterRow& row, const FieldsChange& change,
                  FieldsWalk& walk) {
    walk_row(walk, "cluster " + model::wire_id(model::ClusterId{row.id}), [&] {
        const bool copy_changed = change_provider(row.tenant, row.snapshot.at("provider"), change);
        const bool own_changed = change(
            {.tenant = row.tenant, .provider = "", .provider_type = "", .fields = row.secrets});
        if (!copy_changed && !own_changed) return false;
        const std::string snapshot = base::to_text(row.snapshot);
        const std::string secrets = base::to_text(row.secrets);
        connection.sql(update_cluster_secrets) << snapshot << secrets << row.id << exec;
        connection.sql(count_change) << row.latest_job.value << exec;
        return true;
    });
}

// Writers of providers, and of clusters that copy them, lock their tenant before they read. When
// this returns, every writer that began earlier has committed, so the walk finds its rows.
void wait_for_writers(Database& database) {
    database.write(lock_tenants);
}

}  // namespace

FieldsWalk change_provider_fields(Database& database, const FieldsChange& change) {
    wait_for_writers(database);
    auto all = database.write([&](Connection& connection) {
        FieldsWalk walk;
        for (ProviderRow& row : lock_providers(connection)) {
            walk_provider(connection, row, change, walk);
        }
        return walk;
    });
    for (long long last = 0;;) {
        const long long before = last;
        add(all, database.write([&](Connection& connection) {
            FieldsWalk walk;
            auto rows = lock_lines(connection, before);
            for (ProviderRow& row : rows) walk_provider(connection, row, change, walk);
            last = rows.empty() ? before : rows.back().line;
            return walk;
        }));
        if (last == before) return all;
    }
}

FieldsWalk change_cluster_fields(Database& database, const FieldsChange& change) {
    wait_for_writers(database);
    FieldsWalk all;
    for (long long last = 0;;) {
        const long long before = last;
        add(all, database.write([&](Connection& connection) {
            FieldsWalk walk;
            auto rows = lock_clusters(connection, before);
            for (ClusterRow& row : rows) walk_cluster(connection, row, change, walk);
            last = rows.empty() ? before : rows.back().id;
            return walk;
        }));
        if (last == before) return all;
    }
}

void add(FieldsWalk& all, FieldsWalk part) {
    all.changed += part.changed;
    for (std::string& problem : part.problems) all.problems.push_back(std::move(problem));
}

}  // namespace provisioner::store
