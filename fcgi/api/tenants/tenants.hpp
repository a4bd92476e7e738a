#pragma once

#include "fcgi/app.hpp"
#include "provisioner/operations/daemons/daemons.hpp"

namespace fcgi::api {

/// GET /v2/tenants: all tenants, oldest first. All calls in this file are for superadmins.
http::Response list_tenants(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/tenants: 409 if the name is taken or fewer workers are free than it asks for.
http::Response create_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /v2/tenants/{tenant}: by name, case sensitive.
http::Response show_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// PUT /v2/tenants/{tenant}: changes the tenant, or creates it if it does not exist.
http::Response replace_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// DELETE /v2/tenants/{tenant}: 409 while it has workers. Its clusters and catalogue stay stored
/// but out of reach.
http::Response delete_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/tenants/{tenant}/users: [{"name","role"}], by name. The three calls about users are
/// outside the wire contract.
http::Response list_users(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/tenants/{tenant}/users: the answer has the user's first API key ("apikey"), which is
/// not shown again.
http::Response create_user(const http::Request& request, const auth::Visitor& visitor, App& app);
/// DELETE /v2/tenants/{tenant}/users/{user}: with sessions and keys. The user's clusters stay. 409
/// for the caller itself.
http::Response delete_user(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/provisioners: the daemons with a heartbeat within 120 seconds, in the wire contract's
/// form.
http::Response list_provisioners(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
/// GET /v2/provisioners/{id}: one of them; 404 for a daemon that is silent for longer.
http::Response show_provisioner(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// A tenant as the wire contract shows it, without its id. No maximum is 2147483647.
provisioner::base::Json to_json(const provisioner::model::Tenant& tenant);
/// A daemon as the wire contract shows a provisioner. `port` is always 0: daemons take no calls.
provisioner::base::Json to_json(const provisioner::operations::ProvisionerView& provisioner);

}  // namespace fcgi::api
