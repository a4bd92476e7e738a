#include "provisioner/operations/clusters/lease.hpp"

#include <algorithm>

#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

constexpr std::size_t deleted_at_once = 100;
/// Clusters that wait for their next deletion come last in the list. So even more of them than this
/// do not keep clusters without a failed deletion waiting.
constexpr int looked_at_once = 10000;

base::unexpected<Refusal> refuse_expiry(std::string message) {
    return refuse(Refusal::Kind::invalid, "expireTime", std::move(message));
}

bool is_settled(const model::Cluster& cluster) {
    return cluster.status != model::ClusterStatus::pending &&
           cluster.status != model::ClusterStatus::terminated;
}

Result<void> check_status(const model::Cluster& cluster) {
    if (cluster.status == model::ClusterStatus::terminated) {
        return refuse_expiry("Cannot change expire time of terminated cluster");
    }
    if (cluster.status == model::ClusterStatus::pending) {
        return refuse_expiry("Cannot change expire time of cluster at this time");
    }
    return {};
}

Result<void> check_no_end(const model::Cluster& cluster) {
    auto settled = check_status(cluster);
    if (!settled || may_have_no_end(cluster)) return settled;
    return refuse_expiry("Cluster cannot be without an end: its template sets a maximum");
}

bool is_due(const std::optional<model::FailedDeletions>& failed, base::Timestamp now) {
    return !failed || model::next_deletion(*failed) <= now;
}

/// The candidates were read without a lock, so every condition is checked again under the lock.
/// False when the lease was changed, or another daemon or a person was faster.
bool delete_if_expired(store::Connection& connection, model::ClusterId id, base::Timestamp now) {
    auto cluster = store::lock_outline_for_work(connection, id);
    const bool expired =
        cluster && is_settled(*cluster) && cluster->expires_at && *cluster->expires_at <= now;
    if (!expired || !is_due(store::failed_deletions(connection, id), now)) return false;
    const auto started = start_job(connection, *cluster,
                                   {.operation = model::Operation::cluster_delete,
                                    .asked_by = {.user = {}, .name = model::asked_by_lease},
                                    .services = {}},
                                   now);
    if (!started) throw std::logic_error(base::to_text(started.error().problems));
    audit_own(connection, {.action = "cluster.expire",
                           .object = object_of(*cluster),
                           .before = {{"expiresAt", base::to_sql(*cluster->expires_at)}},
                           .chain = cluster->tenant});
    return true;
}

}  // namespace

Result<std::chrono::milliseconds> initial_lease(std::optional<std::chrono::milliseconds> asked,
                                                std::chrono::milliseconds initial) {
    using std::chrono::milliseconds;
    constexpr auto field = "initialLeaseDuration";
    if (!asked) return initial;
    if (*asked < milliseconds{0}) {
        return refuse(Refusal::Kind::invalid, field,
                      "invalid lease duration: " + std::to_string(asked->count()));
    }
    if (initial == milliseconds{0}) return *asked;
    if (*asked == milliseconds{0} || *asked > initial) {
        return refuse(Refusal::Kind::invalid, field,
                      "lease duration cannot be greater than duration specified in template");
    }
    return *asked;
}

Result<std::optional<base::Timestamp>> first_expiry(std::chrono::milliseconds lease,
                                                    base::Timestamp now) {
    if (lease.count() == 0) return std::nullopt;
    if (lease.count() > latest_expiry - base::to_millis(now)) {
        return refuse(Refusal::Kind::invalid, "initialLeaseDuration",
                      "The lease must end before the year 10000");
    }
    return now + lease;
}

Result<void> check_expiry(const model::Cluster& cluster, std::int64_t wanted) {
    auto settled = check_status(cluster);
    if (!settled) return settled;
    const std::int64_t created = base::to_millis(cluster.created_at);
    if (wanted < created) {
        return refuse_expiry("New expire time cannot be lesser than create time");
    }
    if (wanted > latest_expiry)
        return refuse_expiry("New expire time must be before the year 10000");
    const model::LeaseDuration& lease = cluster.snapshot.cluster_template.lease;
    if (lease.max.count() == 0) return {};
    const std::int64_t old = cluster.expires_at ? base::to_millis(*cluster.expires_at) : 0;
    if (lease.step.count() != 0 && wanted - old > lease.step.count()) {
        return refuse_expiry("New expire time cannot be greater than allowed increment");
    }
    if (wanted - created > lease.max.count()) {
        return refuse_expiry("Cluster cannot be prolonged beyond its max duration");
    }
    return {};
}

base::Timestamp latest_end(const model::Cluster& cluster) {
    const model::LeaseDuration& lease = cluster.snapshot.cluster_template.lease;
    std::int64_t latest = latest_expiry;
    if (lease.max.count() == 0) return base::from_millis(latest);
    const std::int64_t old = cluster.expires_at ? base::to_millis(*cluster.expires_at) : 0;
    const auto at_most = [&](std::int64_t begin, std::chrono::milliseconds length) {
        // Lengths reach up to the largest number there is.
        if (length.count() <= latest_expiry - begin)
            latest = std::min(latest, begin + length.count());
    };
    at_most(base::to_millis(cluster.created_at), lease.max);
    if (lease.step.count() != 0) at_most(old, lease.step);
    return base::from_millis(latest);
}

bool may_have_no_end(const model::Cluster& cluster) {
    return cluster.snapshot.cluster_template.lease.max.count() == 0;
}

Result<void> change_expiry(store::Database& database, const model::Caller& caller,
                           model::ClusterId id, std::optional<std::int64_t> wanted,
                           base::Timestamp now) {
    const auto wanted_end = wanted ? std::optional(base::from_millis(*wanted)) : std::nullopt;
    return database.write([&](store::Connection& connection) -> Result<void> {
        // Budgets hold under parallel requests, because each waits here for the one before it.
        store::lock_tenant(connection, caller.tenant.id);
        const auto cluster = store::lock_cluster(connection, caller, id);
        if (!cluster) {
            return refuse(Refusal::Kind::not_found, "",
                          "Cluster " + model::wire_id(id) + " not found.");
        }
        auto allowed = wanted ? check_expiry(*cluster, *wanted) : check_no_end(*cluster);
        if (allowed) {
            const auto machines = count_by_kind(*cluster, store::nodes_of(connection, id));
            allowed = check_budget_of_lease(connection, caller.tenant, machines,
                                            cluster->expires_at, wanted_end, now);
        }
        if (!allowed) return allowed;
        store::update_expiry(connection, id, wanted_end);
        const auto end = [](const auto& at) {
            return base::Json{{"expiresAt", at ? base::Json(base::to_sql(*at)) : base::Json()}};
        };
        audit(connection, caller,
              {.action = "cluster.change-lease",
               .object = object_of(*cluster),
               .before = end(cluster->expires_at),
               .after = end(wanted_end)});
        return allowed;
    });
}

Expired expire_clusters(store::Database& database, base::Timestamp now) {
    const auto candidates = database.read([&](store::Connection& connection) {
        return store::expired_clusters(connection, now, looked_at_once);
    });
    Expired expired;
    for (const auto& [id, failed] : candidates) {
        const model::ClusterId cluster = id;
        if (expired.deleted.size() == deleted_at_once) break;
        if (!is_due(failed, now)) continue;
        try {
            const bool deleted = database.write([&](store::Connection& connection) {
                return delete_if_expired(connection, cluster, now);
            });
            if (deleted) expired.deleted.push_back(cluster);
        } catch (const store::DatabaseUnavailable& error) {
            expired.errors.push_back(error.what());
            break;
        } catch (const std::exception& error) {
            expired.errors.push_back("cluster " + model::wire_id(cluster) + ": " + error.what());
        }
    }
    return expired;
}

}  // namespace provisioner::operations
