#pragma once

#include <string>

#include "provisioner/model/tenants/session.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// A superadmin views a tenant: in their session they read what its auditors read, and change
// nothing (fcgi/auth/identify.cpp). Beginning and end are in the audit log of that tenant and in
// that of the superadmin's own.

/// Begins to view the tenant in the session. Refused with not_found when there is no such tenant,
/// with forbidden for who is no superadmin, and as invalid for their own tenant.
Result<void> begin_view(store::Database& database, const model::OpenSession& session,
                        const std::string& tenant);

/// Ends the view of `viewed`. `session` has the superadmin as they are. Does nothing but record it
/// when nothing is viewed.
void end_view(store::Database& database, const model::OpenSession& session,
              const model::Tenant& viewed);

}  // namespace provisioner::operations
