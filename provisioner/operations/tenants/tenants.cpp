#include "provisioner/operations/tenants/tenants.hpp"

#include <algorithm>
#include <set>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/model/names.hpp"
#include "provisioner/operations/access/membership_rules.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/daemons/daemons.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_control.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using model::CatalogueKind;

constexpr std::array kinds_of_bootstrap{CatalogueKind::hardware_type, CatalogueKind::image_type,
                                        CatalogueKind::service, CatalogueKind::cluster_template,
                                        CatalogueKind::provider};

model::Tenant as_tenant(const TenantSpec& wanted) {
    model::Tenant tenant;
    tenant.uid = base::random_uuid();
    tenant.name = wanted.name;
    tenant.description = wanted.description;
    tenant.workers = wanted.workers;
    tenant.max_clusters = wanted.max_clusters;
    tenant.max_nodes = wanted.max_nodes;
    tenant.budget = wanted.budget.value_or(std::nullopt);
    tenant.provider_types = wanted.provider_types.value_or(std::nullopt);
    return tenant;
}

base::Json limits_of(const model::Tenant& tenant) {
    const auto limit = [](const std::optional<std::int64_t>& micros) {
        return micros ? base::Json(model::decimal_text(*micros)) : base::Json();
    };
    return {{"description", tenant.description},
            {"workers", tenant.workers},
            {"maxClusters", tenant.max_clusters},
            {"maxNodes", tenant.max_nodes},
            {"providerTypes",
             tenant.provider_types ? base::Json(*tenant.provider_types) : base::Json()},
            {"budget", tenant.budget ? base::Json{{"currency", tenant.budget->currency},
                                                  {"perHour", limit(tenant.budget->per_hour)},
                                                  {"perMonth", limit(tenant.budget->per_month)}}
                                     : base::Json()}};
}

/// Tenants come and go in the installation's chain. Who reads the log of the tenant has it there,
/// too.
Act act_on(const model::Tenant& tenant, const char* action, const base::Json& before,
           const base::Json& after) {
    return {.action = action,
            .object = {.kind = audited_tenant, .id = tenant.uid, .name = tenant.name},
            .before = before,
            .after = after,
            .chain = model::TenantId{}};
}

void audit_tenant(store::Connection& connection, const model::Caller& caller, const char* action,
                  const model::Tenant& tenant, const base::Json& before, const base::Json& after) {
    audit_all(connection, caller,
              in_chain_of_tenant_too(act_on(tenant, action, before, after), tenant));
}

/// The entries that nobody else may have: what the source permits to some of its own users.
std::set<model::EntryName> restricted_entries(store::Connection& connection, model::TenantId from) {
    std::set<model::EntryName> entries;
    for (const auto& permission : store::list_permissions(connection, from)) {
        entries.insert(permission.entry);
    }
    return entries;
}

bool is_allowed_type(const model::Tenant& tenant, CatalogueKind kind, const base::Json& entry) {
    if (kind != CatalogueKind::provider || !tenant.provider_types) return true;
    return std::ranges::count(*tenant.provider_types, base::text_at(entry, "providertype")) > 0;
}

void copy_catalogue(store::Connection& connection, model::TenantId from, const model::Tenant& fresh,
                    base::Timestamp now) {
    const model::TenantId to = fresh.id;
    const auto restricted = restricted_entries(connection, from);
    for (const CatalogueKind kind : kinds_of_bootstrap) {
        for (const base::Json& entry : store::list_entries(connection, from, kind)) {
            const bool is_restricted = restricted.contains({kind, base::text_at(entry, "name")});
            if (is_restricted || !is_allowed_type(fresh, kind, entry)) continue;
            const int version = store::insert_entry(connection, to, kind, entry, now);
            store::record_version(connection, to, kind, base::text_at(entry, "name"),
                                  {.version = version, .document = entry});
        }
    }
    store::copy_resources(connection, from, to, now);
}

/// The wire contract's answers name one problem.
std::optional<base::unexpected<Refusal>> refused_by(const base::Problems& conflicts) {
    if (conflicts.empty()) return std::nullopt;
    return refuse(Refusal::Kind::conflict, {conflicts.front()});
}

/// Writes the tenant if enough workers are free. The caller has locked all tenants, so no other
/// request can promise the same workers.
Result<void> insert_checked(store::Connection& connection, const model::Caller& caller,
                            const TenantSpec& wanted, base::Timestamp now) {
    if (auto refused = refused_by(conflicts_of_tenant(connection, wanted, std::nullopt, now))) {
        return *std::move(refused);
    }
    model::Tenant fresh = as_tenant(wanted);
    fresh.id = store::insert_tenant(connection, fresh, now);
    const auto source = store::find_tenant(connection, model::superadmin_tenant);
    if (wanted.bootstrap && source) copy_catalogue(connection, source->id, fresh, now);
    audit_tenant(connection, caller, "tenant.create", fresh, base::Json(), limits_of(fresh));
    return {};
}

Result<void> update_checked(store::Connection& connection, const model::Caller& caller,
                            model::Tenant tenant, const TenantSpec& wanted, base::Timestamp now) {
    const base::Json before = limits_of(tenant);
    if (auto refused = refused_by(conflicts_of_tenant(connection, wanted, tenant, now))) {
        return *std::move(refused);
    }
    tenant.description = wanted.description;
    tenant.workers = wanted.workers;
    tenant.max_clusters = wanted.max_clusters;
    tenant.max_nodes = wanted.max_nodes;
    tenant.budget = wanted.budget.value_or(tenant.budget);
    tenant.provider_types = wanted.provider_types.value_or(tenant.provider_types);
    store::update_tenant(connection, tenant);
    audit_tenant(connection, caller, "tenant.replace", tenant, before, limits_of(tenant));
    return {};
}

void abort_work_of(store::Connection& connection, const model::Tenant& tenant) {
    model::Caller everybody;
    everybody.user.role = model::Role::admin;
    everybody.tenant = tenant;
    const auto pending =
        store::list_clusters(connection, everybody, {.statuses = {model::ClusterStatus::pending}});
    for (const store::ClusterSummary& cluster : pending) {
        const auto held = store::hold_cluster(connection, everybody, cluster.id);
        const bool under_way = held && held->cluster.status == model::ClusterStatus::pending;
        if (!under_way || held->job.operation == model::Operation::cluster_delete) continue;
        if (!held->job.aborted) store::abort_job(connection, held->job.id);
    }
}

}  // namespace

int free_workers(store::Connection& connection, base::Timestamp now) {
    long free = 0;
    for (const ProvisionerView& provisioner : provisioner_views(connection, now)) {
        free += provisioner.capacity_free;
    }
    return static_cast<int>(std::clamp<long>(free, 0, model::no_maximum));
}

base::Problems conflicts_of_tenant(store::Connection& connection, const TenantSpec& wanted,
                                   const std::optional<model::Tenant>& before,
                                   base::Timestamp now) {
    base::Problems problems;
    if (!before && store::find_tenant(connection, wanted.name)) {
        problems.push_back({"name", "Tenant " + wanted.name + " already exists."});
    }
    const int more = wanted.workers - (before ? before->workers : 0);
    if (more > 0 && more > free_workers(connection, now)) {
        problems.push_back({"workers", before ? "Not enough capacity to update tenant."
                                              : "Not enough capacity to add tenant."});
    }
    if (!before) return problems;
    const store::TenantUse use = store::use_of(connection, before->id);
    const auto check_quota = [&](const char* field, int used, int most) {
        if (used <= most) return;
        problems.push_back(
            {field, "Writing tenant would cause cluster or node quotas to be violated."});
    };
    check_quota("maxClusters", use.clusters, wanted.max_clusters);
    check_quota("maxNodes", use.nodes, wanted.max_nodes);
    return problems;
}

Result<void> create_tenant(store::Database& database, const model::Caller& caller,
                           const TenantSpec& wanted, base::Timestamp now) {
    if (auto wrong = model::problem_with_new_name(wanted.name)) {
        return refuse(Refusal::Kind::invalid, "name", *std::move(wrong));
    }
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenants(connection);
        return insert_checked(connection, caller, wanted, now);
    });
}

std::string fingerprint_of(const model::Tenant& tenant) {
    return identity::checksum(base::to_text(limits_of(tenant)));
}

Result<void> replace_tenant(store::Database& database, const model::Caller& caller,
                            const std::string& name, const TenantSpec& wanted, base::Timestamp now,
                            const std::optional<std::string>& base) {
    if (wanted.name != name) {
        return refuse(Refusal::Kind::invalid, "name",
                      "tenant name in body does not match name in path.");
    }
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenants(connection);
        auto tenant = store::find_tenant(connection, name);
        if (tenant && base && fingerprint_of(*tenant) != *base) {
            return refuse(Refusal::Kind::conflict, "base",
                          "Somebody else saved this tenant meanwhile.");
        }
        if (tenant) return update_checked(connection, caller, *std::move(tenant), wanted, now);
        TenantSpec bare = wanted;
        bare.bootstrap = false;
        return insert_checked(connection, caller, bare, now);
    });
}

Result<void> delete_tenant(store::Database& database, const model::Caller& caller,
                           const std::string& name, Workers workers) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        if (name == model::superadmin_tenant) {
            return refuse(Refusal::Kind::forbidden, "", "Superadmin cannot be deleted.");
        }
        lock_membership_rules(connection);
        store::lock_tenants(connection);
        auto tenant = store::find_tenant(connection, name);
        if (!tenant) return {};
        const base::Json before = limits_of(*tenant);
        if (tenant->workers > 0 && workers == Workers::are_taken_back) {
            tenant->workers = 0;
            store::update_tenant(connection, *tenant);
        }
        if (tenant->workers > 0) {
            return refuse(Refusal::Kind::conflict, "workers",
                          "Tenant " + name + " still has " + std::to_string(tenant->workers) +
                              " workers. Cannot delete it until workers are set to 0.");
        }
        abort_work_of(connection, *tenant);
        store::delete_tenant(connection, tenant->id);
        auto acts = forget_tenant_in_rules(connection, tenant->uid);
        for (Act& act : in_chain_of_tenant_too(
                 act_on(*tenant, "tenant.delete", before, base::Json()), *tenant)) {
            acts.push_back(std::move(act));
        }
        audit_all(connection, caller, std::move(acts));
        end_views_of_deleted_tenant(connection, *tenant);
        return {};
    });
}

}  // namespace provisioner::operations
