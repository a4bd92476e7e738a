#pragma once

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The template with what it extends (through all generations) and includes merged in, newest
/// versions from the tenant's catalogue; one without either comes back as it is. Refused with
/// not_found ("<name> parent template not found.", "<name> partial template not found."), and as
/// invalid where it overrides what is immutable or where templates extend each other in a circle.
Result<model::ClusterTemplate> resolve_template(store::Connection& connection,
                                                model::TenantId tenant,
                                                const model::ClusterTemplate& own);

/// The same for somebody who wants to see what a template comes to: it also has to have default
/// services and a default provider, and a DNS suffix has to be one.
Result<model::ClusterTemplate> resolve_for_review(store::Database& database,
                                                  const model::Caller& caller,
                                                  const model::ClusterTemplate& own);

/// The newest version of a stored template, resolved, with its version in the header. Refused with
/// not_found when there is none, and as resolve_template says.
Result<model::ClusterTemplate> find_resolved(store::Connection& connection, model::TenantId tenant,
                                             const std::string& name);

}  // namespace provisioner::operations
