#pragma once

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Templates may extend another template and include partial ones. Clusters are made from the
// resolved form, in which all of these are merged (model/catalogue/template_family.hpp has the
// rules).

/// `own` with all generations of parents and all partial templates merged in, newest versions of
/// the tenant's catalogue. `own` need not be stored. A template without either comes back
/// unchanged.
///
/// Refused with not_found ("<name> parent template not found.", "<name> partial template not
/// found."). As invalid where it overrides an immutable value, or where templates extend each other
/// in a circle.
Result<model::ClusterTemplate> resolve_template(store::Connection& connection,
                                                model::TenantId tenant,
                                                const model::ClusterTemplate& own);

/// The same in its own read transaction, for a person who wants to see the result. Also refused as
/// invalid without default services or a default provider, or with a wrong DNS suffix; as forbidden
/// when `own` extends a template that the caller may not use.
Result<model::ClusterTemplate> resolve_for_review(store::Database& database,
                                                  const model::Caller& caller,
                                                  const model::ClusterTemplate& own);

/// The newest version of a stored template, resolved, with its version in the header. Refused with
/// not_found when there is none, as resolve_template says, and as invalid when it is too large with
/// what it extends and includes (model::problems_with_amounts).
Result<model::ClusterTemplate> find_resolved(store::Connection& connection, model::TenantId tenant,
                                             const std::string& name);

/// The same of the draft of a change to the template, with what was changed in the template
/// meanwhile; where both changed a value it is the draft's. Its version is 0. Refused with
/// not_found without a draft.
Result<model::ClusterTemplate> find_resolved_draft(store::Connection& connection,
                                                   model::TenantId tenant, const std::string& name);

}  // namespace provisioner::operations
