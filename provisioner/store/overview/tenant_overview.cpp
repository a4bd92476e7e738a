#include "provisioner/store/overview/tenant_overview.hpp"

#include <algorithm>
#include <map>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// One status at a time, as monitoring does: a look at the index for each tenant.
constexpr auto select_use_by_tenant = R"sql(
    SELECT tenant.id, COUNT(*) AS clusters, COALESCE(SUM(cluster.node_count), 0) AS nodes
    FROM tenant
    JOIN cluster ON cluster.tenant_id = tenant.id AND cluster.status = ?
    WHERE tenant.deleted_id = 0
    GROUP BY tenant.id
    ORDER BY tenant.id
    LIMIT 100000
)sql";

constexpr auto select_users_by_tenant = R"sql(
    SELECT tenant_id, COUNT(*) AS users
    FROM user
    GROUP BY tenant_id
    ORDER BY tenant_id
    LIMIT 100000
)sql";

constexpr auto select_key_uses = R"sql(
    SELECT user.id, COUNT(*) AS api_keys, MAX(api_key.last_used_at) AS used_at
    FROM user
    JOIN api_key ON api_key.user_id = user.id
    WHERE user.tenant_id = ?
    GROUP BY user.id
    ORDER BY user.id
    LIMIT 100000
)sql";

constexpr auto select_ready_by_tenant = R"sql(
    SELECT ready_task.tenant_id, tenant.name, tenant.workers, COUNT(*) AS ready,
           COALESCE(SUM(ready_task.run_at <= UTC_TIMESTAMP(6)), 0) AS due,
           GREATEST(COALESCE(TIMESTAMPDIFF(SECOND, MIN(ready_task.run_at), UTC_TIMESTAMP(6)), 0), 0)
               AS oldest,
           (SELECT head.needs
            FROM ready_task AS head
            WHERE head.tenant_id = ready_task.tenant_id
            ORDER BY head.run_at, head.task_id
            LIMIT 1) AS oldest_needs
    FROM ready_task
    JOIN tenant ON tenant.id = ready_task.tenant_id
    GROUP BY ready_task.tenant_id, tenant.name, tenant.workers
    ORDER BY ready_task.tenant_id
    LIMIT 100000
)sql";

constexpr auto select_running_by_tenant = R"sql(
    SELECT tenant.id, tenant.name, tenant.workers, COUNT(*) AS running
    FROM task
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN tenant ON tenant.id = cluster.tenant_id
    WHERE task.claimed_until IS NOT NULL
    GROUP BY tenant.id, tenant.name, tenant.workers
    ORDER BY tenant.id
    LIMIT 100000
)sql";

constexpr auto select_waiting = R"sql(
    SELECT task.id, task.job_id, job.cluster_id, tenant.name AS tenant,
           cluster.name AS cluster_name, node.nodenum, node.hostname, task.action, task.service,
           ready_task.needs,
           GREATEST(TIMESTAMPDIFF(SECOND, ready_task.run_at, UTC_TIMESTAMP(6)), 0) AS waited
    FROM ready_task
    JOIN task ON task.id = ready_task.task_id
    JOIN job ON job.id = task.job_id
    JOIN cluster ON cluster.id = job.cluster_id
    JOIN tenant ON tenant.id = cluster.tenant_id
    JOIN node ON node.id = task.node_id
    WHERE ready_task.run_at <= UTC_TIMESTAMP(6)
    ORDER BY ready_task.run_at, ready_task.task_id
    LIMIT ? OFFSET ?
)sql";

struct Use {
    TenantUse use{};
    int failing = 0;
};

std::map<long long, Use> uses_by_tenant(Connection& connection) {
    using model::ClusterStatus;
    std::map<long long, Use> uses;
    for (const auto& [status, word] : base::words<ClusterStatus>) {
        if (status == ClusterStatus::terminated) continue;
        Rows row = connection.sql(select_use_by_tenant) << word;
        while (row.next()) {
            Use& use = uses[row.get<long long>("id")];
            const int clusters = row.get<int>("clusters");
            use.use.clusters += clusters;
            use.use.nodes += row.get<int>("nodes");
            const bool is_failing =
                status == ClusterStatus::incomplete || status == ClusterStatus::inconsistent;
            if (is_failing) use.failing += clusters;
        }
    }
    return uses;
}

}  // namespace

std::vector<TenantOverview> list_tenant_overviews(Connection& connection) {
    const auto uses = uses_by_tenant(connection);
    std::map<long long, int> users;
    Rows row = connection.sql(select_users_by_tenant);
    while (row.next()) users[row.get<long long>("tenant_id")] = row.get<int>("users");
    std::vector<TenantOverview> overviews;
    for (model::Tenant& tenant : list_tenants(connection)) {
        const auto use = uses.find(tenant.id.value);
        const auto count = users.find(tenant.id.value);
        overviews.push_back({.tenant = std::move(tenant),
                             .use = use == uses.end() ? TenantUse{} : use->second.use,
                             .users = count == users.end() ? 0 : count->second,
                             .failing = use == uses.end() ? 0 : use->second.failing});
    }
    return overviews;
}

int count_tenant_users(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql("SELECT COUNT(*) AS users FROM user WHERE tenant_id = ?")
               << tenant.value << one_row;
    return row.get<int>("users");
}

std::map<model::UserId, KeyUse> key_uses(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_key_uses) << tenant.value;
    std::map<model::UserId, KeyUse> uses;
    while (row.next()) {
        uses[model::UserId{row.get<long long>("id")}] = {
            .keys = row.get<int>("api_keys"), .used_at = optional_time_column(row, "used_at")};
    }
    return uses;
}

std::vector<TenantQueue> list_tenant_queues(Connection& connection) {
    std::map<long long, TenantQueue> by_tenant;
    Rows ready = connection.sql(select_ready_by_tenant);
    while (ready.next()) {
        const auto id = ready.get<long long>("tenant_id");
        const int due = ready.get<int>("due");
        by_tenant[id] = {.id = model::TenantId{id},
                         .tenant = ready.get<std::string>("name"),
                         .workers = ready.get<int>("workers"),
                         .due = due,
                         .later = ready.get<int>("ready") - due,
                         .running = 0,
                         .oldest_seconds = ready.get<int>("oldest"),
                         .oldest_needs = strings_column(ready, "oldest_needs")};
    }
    Rows running = connection.sql(select_running_by_tenant);
    while (running.next()) {
        const auto id = running.get<long long>("id");
        TenantQueue& queue = by_tenant[id];
        queue.id = model::TenantId{id};
        queue.tenant = running.get<std::string>("name");
        queue.workers = running.get<int>("workers");
        queue.running = running.get<int>("running");
    }
    std::vector<TenantQueue> queues;
    for (auto& [id, queue] : by_tenant) queues.push_back(std::move(queue));
    std::ranges::stable_sort(queues, std::ranges::greater{}, &TenantQueue::oldest_seconds);
    return queues;
}

std::vector<WaitingTask> list_waiting_tasks(Connection& connection, int limit, int offset) {
    Rows row = connection.sql(select_waiting) << limit << offset;
    std::vector<WaitingTask> tasks;
    while (row.next()) {
        tasks.push_back({
            .task = model::TaskId{row.get<long long>("id")},
            .job = model::JobId{row.get<long long>("job_id")},
            .cluster = model::ClusterId{row.get<long long>("cluster_id")},
            .tenant = row.get<std::string>("tenant"),
            .cluster_name = row.get<std::string>("cluster_name"),
            .nodenum = row.get<int>("nodenum"),
            .hostname = row.get<std::string>("hostname"),
            .action = base::stored_word<model::Action>(row.get<std::string>("action")),
            .service = row.get<std::string>("service"),
            .needs = strings_column(row, "needs"),
            .seconds = row.get<int>("waited"),
        });
    }
    return tasks;
}

}  // namespace provisioner::store
