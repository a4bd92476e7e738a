#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Tenants, as superadmins manage them. Workers are the tenant's share of the daemons' capacity.
// When a tenant is written, the sum over all tenants is checked against the capacity of live
// daemons. Writers of tenants lock all tenants, so two of them cannot promise the same workers.

/// A tenant as a superadmin wants it; fcgi/forms makes it from JSON.
struct TenantSpec {
    std::string name;
    std::string description;
    /// The largest number of its tasks that daemons run at once; 0 means no limit of its own.
    int workers = 0;
    /// Quotas of clusters and of nodes in all clusters. Terminated clusters do not count.
    int max_clusters = model::no_maximum;
    int max_nodes = model::no_maximum;
    /// What its machines may cost. Nothing at all: as it is, because clients of the wire contract
    /// do not know budgets. An empty one: no limit any more.
    std::optional<std::optional<model::Budget>> budget{};
    /// Types of providers that its clusters may use. Nothing at all: as it is. An empty one: all.
    std::optional<std::optional<std::vector<std::string>>> provider_types{};
    /// Whether a new tenant gets a copy of the superadmin tenant's catalogue and files. Ignored for
    /// a tenant that exists.
    bool bootstrap = false;
};

/// The number of workers that can still be promised: the capacity of the live provisioners without
/// the assigned workers (provisioner_views). Never negative. The result holds only if all tenants
/// are locked.
int free_workers(store::Connection& connection, base::Timestamp now);

/// All that keeps the tenant from being written as wanted: its name is taken, too few workers are
/// free, it has more clusters or nodes than its quotas would allow. `before` is the tenant as it
/// is; nothing for a new one. Holds only if all tenants are locked.
base::Problems conflicts_of_tenant(store::Connection& connection, const TenantSpec& wanted,
                                   const std::optional<model::Tenant>& before, base::Timestamp now);

/// Creates a tenant. With bootstrap it gets the newest versions of the superadmin tenant's
/// providers, hardware and image types, services and cluster templates, numbered from 1. It gets
/// its files, too, but not its partial templates and its files of keys. Secrets of providers stay
/// sealed as they are (daemon_secrets.hpp). It gets no entry that the superadmin tenant
/// permits to some only (operations/access), and no provider of a type that it may not use.
///
/// Refused with conflict when the name is taken or too few workers are free.
Result<void> create_tenant(store::Database& database, const model::Caller& caller,
                           const TenantSpec& wanted, base::Timestamp now);

/// Changes a tenant, or creates it without bootstrap when there is none. Refused as invalid when
/// `wanted.name` is another name. Refused with conflict when too few workers are free, or when the
/// tenant uses more clusters or nodes than its new quota allows; and, with the field "base", when
/// fingerprint_of() what is stored is not `base`: somebody else has changed it meanwhile.
Result<void> replace_tenant(store::Database& database, const model::Caller& caller,
                            const std::string& name, const TenantSpec& wanted, base::Timestamp now,
                            const std::optional<std::string>& base = std::nullopt);

/// Stands for the description, quotas and budget of a tenant. Equal ones have the same.
std::string fingerprint_of(const model::Tenant& tenant);

/// What the audit log calls tenants.
inline constexpr auto audited_tenant = "tenant";

/// What becomes of the workers of a tenant that is deleted.
enum class Workers {
    /// The tenant stays while it has any: the wire contract.
    must_be_none,
    /// They are set to 0 in the same transaction. The deletion in the audit log says how many they
    /// were.
    are_taken_back
};

/// Deletes a tenant; does nothing when there is none. Aborts all jobs of its clusters except
/// deletions. Its catalogue and clusters stay stored, but no user can reach them, and machines run
/// until their leases end. Rules of identity providers for it are taken out. Its name can be used
/// again.
///
/// Refused with conflict while the tenant has workers that are not taken back, and with forbidden
/// for the superadmin tenant.
Result<void> delete_tenant(store::Database& database, const model::Caller& caller,
                           const std::string& name, Workers workers = Workers::must_be_none);

}  // namespace provisioner::operations
