#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/clusters/idempotency_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// A person's request for a cluster; fcgi/forms makes it from JSON or from an HTML form.
struct CreateCluster {
    std::string name;
    /// Name of a template of the caller's tenant.
    std::string cluster_template;
    /// Whether the draft of a change to that template is tried (template_drafts.hpp). For
    /// administrators; others get the refusal of a template that is not there.
    bool of_draft = false;
    /// Number of nodes, 1 to max_cluster_size.
    int machines = 0;
    std::string description;
    /// Name of a provider; nothing: the template's default.
    std::optional<std::string> provider;
    /// Name -> value, for the provider's user fields and overridable admin fields.
    base::Json provider_fields = base::Json::object();
    /// Whether missing secret provider fields are accepted. For previews: the form asks for secrets
    /// only when the cluster is created.
    bool secrets_come_later = false;
    /// Names; empty: the template's defaults.
    std::vector<std::string> services;
    /// Nothing: the template's default, or any type it allows. Likewise `image_type`.
    std::optional<std::string> hardware_type;
    std::optional<std::string> image_type;
    /// Nothing (the wire's -1): the template's initial lease. Zero: for ever.
    std::optional<std::chrono::milliseconds> lease;
    /// The domain of the nodes' hostnames; nothing: the template's default.
    std::optional<std::string> dns_suffix;
    /// Null: the template's default configuration. Otherwise an object that replaces it.
    base::Json config;
    /// Makes the request safe to repeat; see create_cluster.
    std::optional<store::IdempotencyKey> idempotency_key{};
};

/// Checks, solves, plans and writes cluster, nodes, jobs, tasks and edges in one transaction: when
/// it returns, the work is queued. Checks have the order and the texts of the wire contract.
///
/// Creations of one tenant run one by one, because the transaction locks the tenant. Thus quotas,
/// budgets and idempotency keys hold under parallel requests. A layout that takes long is computed
/// between two runs of the transaction, without locks.
///
/// An idempotency key that the user has used before answers with the cluster it made. It refuses
/// with conflict when it came with another request.
Result<model::ClusterId> create_cluster(store::Database& database, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now);

/// Stores a request that create_cluster refused as unsatisfiable. The wire contract shows it as a
/// terminated cluster with that message and a failed SOLVE_LAYOUT job. Quotas do not count it.
/// Refused with too_often after 100 such requests of the user within 10 minutes. Refused as
/// create_cluster refuses when the template or the provider has changed since, or when another
/// request has used the idempotency key. Call it only after create_cluster's refusal, because it
/// does not check the request itself.
Result<model::ClusterId> record_unsatisfiable(store::Database& database,
                                              const model::Caller& caller,
                                              const CreateCluster& wanted,
                                              const std::string& wire_message, base::Timestamp now);

}  // namespace provisioner::operations
