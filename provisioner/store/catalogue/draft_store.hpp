#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/template_draft.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Drafts of changes to cluster templates: at most one for each template. Lock the tenant before a
// write.

/// The draft of the template of this name; nothing without one.
std::optional<model::TemplateDraft> find_template_draft(Connection& connection,
                                                        model::TenantId tenant,
                                                        const std::string& name);

/// All drafts of the tenant by the names of their templates, without `base` and `document`.
std::vector<model::TemplateDraft> list_template_drafts(Connection& connection,
                                                       model::TenantId tenant);

/// Writes the draft of the template `draft.name` in place of the present one and returns its
/// number. `draft.number` is ignored.
long long put_template_draft(Connection& connection, model::TenantId tenant,
                             const model::TemplateDraft& draft);

/// Deletes the draft of the template of this name; does nothing without one.
void delete_template_draft(Connection& connection, model::TenantId tenant, const std::string& name);

}  // namespace provisioner::store
