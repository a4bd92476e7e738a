#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/audit/event.hpp"

namespace fcgi::api {

/// GET /v2/audit: events of a chain, the newest first. Admins see their tenant's; superadmins
/// another tenant's with `tenant` and the installation's with `scope=installation`. 400 for a wrong
/// parameter, 403 for another chain, 404 for an unknown tenant.
///
/// 100 events at once unless `limit` says 1 to 1000; a Link header leads to older ones. As JSON, or
/// as CSV with `format=csv` or "Accept: text/csv".
http::Response list_audit(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/audit/{number}: one event with what was before and after.
http::Response show_audit_event(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// Names of tenants by their chains.
using AuditTenants = std::map<provisioner::model::TenantId, std::string>;

/// Those that have a log.
AuditTenants tenants_by_chain(provisioner::store::Connection& connection);

/// The file audit.csv, with a column of tenants if they are given: for the log of all.
http::Response events_as_csv(const std::vector<provisioner::model::audit::Event>& events,
                             const std::optional<AuditTenants>& tenants);

}  // namespace fcgi::api
