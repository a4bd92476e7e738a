#include "provisioner/operations/clusters/create.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/operations/jobs/start.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

model::Cluster cluster_row(const model::Caller& caller, const CreateCluster& wanted,
                           base::Timestamp now) {
    model::Cluster cluster;
    cluster.tenant = caller.tenant.id;
    cluster.owner_id = caller.user.id;
    cluster.owner = caller.user.name;
    cluster.name = wanted.name;
    cluster.description = wanted.description;
    cluster.created_at = now;
    return cluster;
}

std::vector<model::Node> node_rows(const PreparedCluster& prepared, const model::Cluster& cluster) {
    const MachineTypes types{.hardware = prepared.hardware_types, .image = prepared.image_types};
    std::vector<model::Node> nodes;
    for (const NodePreview& preview : number_nodes(prepared.layout)) {
        nodes.push_back(node_row(cluster, preview, types));
    }
    return nodes;
}

/// The API shows a create as two jobs. This is the first, the layout; it is already complete or
/// failed.
model::Job layout_job(model::ClusterId cluster, const model::Caller& caller,
                      model::JobStatus status, std::string message, base::Timestamp now) {
    model::Job job;
    job.cluster = cluster;
    job.asked_by = model::asker(caller);
    job.operation = model::Operation::solve_layout;
    job.status = status;
    job.message = std::move(message);
    job.created_at = now;
    job.finished_at = now;
    return job;
}

void remember(store::Connection& connection, const model::Caller& caller,
              const CreateCluster& wanted, model::ClusterId cluster, base::Timestamp now) {
    if (!wanted.idempotency_key) return;
    store::keep_answer(connection, caller.user.id, *wanted.idempotency_key, cluster, now);
}

/// The order follows the references: the nodes' hostnames and the sealed secrets contain the
/// cluster's id, and tasks refer to nodes. Workers see nothing before the commit.
model::ClusterId write_cluster(store::Connection& connection, const model::Caller& caller,
                               const CreateCluster& wanted, const PreparedCluster& prepared,
                               base::Timestamp now) {
    model::Cluster cluster = cluster_row(caller, wanted, now);
    cluster.expires_at = prepared.expires_at;
    cluster.services = prepared.services;
    cluster.config = prepared.config;
    cluster.snapshot = prepared.snapshot;
    cluster.node_count = wanted.machines;
    cluster.dns_suffix = prepared.dns_suffix;
    cluster.region = prepared.region;
    cluster.id = store::insert_cluster(connection, cluster);
    keep_secrets(connection, cluster, prepared.secrets);
    const auto nodes = store::insert_nodes(connection, node_rows(prepared, cluster));

    store::insert_job(connection,
                      layout_job(cluster.id, caller, model::JobStatus::complete, "", now));
    enqueue_job(connection, cluster,
                {.operation = model::Operation::cluster_create, .asked_by = model::asker(caller)},
                prepared.graph, nodes, now);
    remember(connection, caller, wanted, cluster.id, now);
    audit(connection, caller,
          {.action = "cluster.create", .object = object_of(cluster), .after = audited(cluster)});
    return cluster.id;
}

// The result of an earlier request with the same key; nothing without one. The tenant is locked, so
// no other request is making it at this moment.
std::optional<Result<model::ClusterId>> made_before(store::Connection& connection,
                                                    const model::Caller& caller,
                                                    const CreateCluster& wanted) {
    if (!wanted.idempotency_key) return std::nullopt;
    const auto& key = *wanted.idempotency_key;
    const auto kept = store::find_answer(connection, caller.user.id, key.name);
    if (!kept) return std::nullopt;
    if (kept->fingerprint == key.fingerprint) return kept->cluster;
    return refuse(Refusal::Kind::conflict, "Idempotency-Key",
                  "Idempotency-Key " + key.name + " came with another request before.");
}

/// Bytes of configuration that are stored with a cluster that is never made: no quota counts it.
constexpr std::size_t most_config_kept = 64UL * 1024;
/// Bytes of the message that is stored with it.
constexpr std::size_t longest_message_kept = 16UL * 1024;

// The limits for stored requests that cannot be satisfied. Quotas do not count them, but each
// stores a whole configuration and template, by default for a day.
constexpr int most_unsatisfiable = 100;
constexpr std::chrono::minutes unsatisfiable_period{10};
constexpr int most_unsatisfiable_of_user = 500;
constexpr int most_unsatisfiable_of_tenant = 2000;
constexpr std::chrono::hours unsatisfiable_day{24};

std::optional<Refusal> too_many_unsatisfiable(store::Connection& connection,
                                              const model::Caller& caller, base::Timestamp now) {
    const auto refusal = [](int most, const std::string& of_whom, const std::string& period) {
        return Refusal{
            .kind = Refusal::Kind::too_often,
            .problems = {{"", "Too many requests" + of_whom +
                                  " that cannot be satisfied: " + std::to_string(most) + " in " +
                                  period + ". Try again later, or ask for a preview."}},
            .missing_fields = {},
            .wire_message = {}};
    };
    const auto user = caller.user.id;
    if (store::count_unsatisfiable_since(connection, user, now - unsatisfiable_period) >=
        most_unsatisfiable) {
        return refusal(most_unsatisfiable, "", "10 minutes");
    }
    const auto day = now - unsatisfiable_day;
    if (store::count_unsatisfiable_since(connection, user, day) >= most_unsatisfiable_of_user) {
        return refusal(most_unsatisfiable_of_user, "", "24 hours");
    }
    if (store::count_unsatisfiable_of_tenant_since(connection, caller.tenant.id, day) >=
        most_unsatisfiable_of_tenant) {
        return refusal(most_unsatisfiable_of_tenant, " of your tenant", "24 hours");
    }
    return std::nullopt;
}

}  // namespace

Result<model::ClusterId> create_cluster(store::Database& database, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now) {
    const auto create = [&](store::Connection& connection) -> Result<model::ClusterId> {
        // Quotas hold under parallel requests, because each request waits here for the one before
        // it.
        store::lock_tenant(connection, caller.tenant.id);
        if (auto known = made_before(connection, caller, wanted)) return *std::move(known);
        const auto prepared = prepare_cluster(connection, caller, wanted, now);
        if (!prepared) return base::unexpected(prepared.error());
        return write_cluster(connection, caller, wanted, *prepared, now);
    };
    return working_out_layouts(caller.tenant.id, [&] { return database.write(create); });
}

Result<model::ClusterId> record_unsatisfiable(store::Database& database,
                                              const model::Caller& caller,
                                              const CreateCluster& wanted,
                                              const std::string& wire_message,
                                              base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> Result<model::ClusterId> {
        store::lock_tenant(connection, caller.tenant.id);
        if (auto known = made_before(connection, caller, wanted)) return *std::move(known);
        if (auto too_many = too_many_unsatisfiable(connection, caller, now)) {
            return base::unexpected(*std::move(too_many));
        }
        auto frame = prepare_cluster_frame(connection, caller, wanted, now);
        // The catalogue may have changed since the request was found unsatisfiable.
        if (!frame) return base::unexpected(frame.error());
        model::Cluster cluster = cluster_row(caller, wanted, now);
        cluster.status = model::ClusterStatus::terminated;
        const std::string message(base::utf8_prefix(wire_message, longest_message_kept));
        cluster.message = message;
        cluster.expires_at = frame->expires_at;
        cluster.services = frame->services;
        if (base::to_text(frame->config).size() <= most_config_kept) cluster.config = frame->config;
        cluster.snapshot = frame->snapshot;
        cluster.snapshot.machines_asked_for = wanted.machines;
        cluster.dns_suffix = frame->dns_suffix;
        cluster.region = frame->region;
        cluster.id = store::insert_cluster(connection, cluster);
        cluster.latest_job = store::insert_job(
            connection, layout_job(cluster.id, caller, model::JobStatus::failed, message, now));
        store::update_cluster(connection, cluster);
        store::note_unsatisfiable(connection, cluster.id);
        store::note_callback(connection, cluster.latest_job);
        remember(connection, caller, wanted, cluster.id, now);
        audit(connection, caller,
              {.action = "cluster.create-unsatisfiable",
               .object = object_of(cluster),
               .after = audited(cluster)});
        return cluster.id;
    });
}

}  // namespace provisioner::operations
