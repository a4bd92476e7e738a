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

/// What a person asks for; forms/ makes it from JSON or from an HTML form.
struct CreateCluster {
    std::string name;
    std::string cluster_template;
    int machines = 0;
    std::string description;
    std::optional<std::string> provider;
    base::Json provider_fields = base::Json::object();
    /// Secret provider fields count as given: they will be when it is created. For previews.
    bool secrets_come_later = false;
    /// Empty: the template's defaults.
    std::vector<std::string> services;
    std::optional<std::string> hardware_type;
    std::optional<std::string> image_type;
    /// Nothing (the wire's -1): the template's initial lease. Zero: for ever.
    std::optional<std::chrono::milliseconds> lease;
    std::optional<std::string> dns_suffix;
    /// Null: the template's default configuration; otherwise replaces it.
    base::Json config;
    /// A request that came before under the same key, whole, is answered again.
    std::optional<store::IdempotencyKey> idempotency_key{};
};

/// Checks, solves, plans and writes cluster, nodes, jobs, tasks and edges in one transaction: when
/// it returns, the work is queued. Checks come in the order and with the texts of the wire
/// contract.
/// An idempotency key that was used before answers with the cluster it made, or refuses as a
/// conflict when it came with another request.
Result<model::ClusterId> create_cluster(store::Database& database, const model::Caller& caller,
                                        const CreateCluster& wanted, base::Timestamp now);

/// Stores a request that create_cluster refused as unsatisfiable the way the wire contract shows
/// it: a terminated cluster with that message and a failed SOLVE_LAYOUT job. Refuses what a user
/// does too often.
Result<model::ClusterId> record_unsatisfiable(store::Database& database,
                                              const model::Caller& caller,
                                              const CreateCluster& wanted,
                                              const std::string& wire_message, base::Timestamp now);

}  // namespace provisioner::operations
