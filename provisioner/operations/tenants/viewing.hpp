#pragma once

#include <string>

#include "provisioner/model/tenants/session.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// A superadmin views a tenant: at addresses of their own, below /view/{tenant}, they read what its
// auditors read, and change nothing (fcgi/auth/identify.cpp). In a session each view is recorded
// when it begins and when it is ended, in the audit log of that tenant and of the superadmin's own.

/// Whether the session views the tenant already. Reads one row.
bool is_viewing(store::Database& database, const model::OpenSession& session,
                const model::Tenant& viewed);

/// Notes that the session views the tenant, and records it unless it does already. `came_from` is
/// the page that led there, below the prefix; an empty one leaves what is noted. Reads one row when
/// nothing changes. `session` has the superadmin as they are.
void note_view(store::Database& database, const model::OpenSession& session,
               const model::Tenant& viewed, const std::string& came_from);

/// Ends the view and records it; returns the page that led to it. Empty if there is none, or no
/// view.
std::string end_view(store::Database& database, const model::OpenSession& session,
                     const model::Tenant& viewed);

}  // namespace provisioner::operations
