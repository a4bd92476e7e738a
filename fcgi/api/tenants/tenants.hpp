#pragma once

#include "fcgi/app.hpp"
#include "provisioner/operations/daemons/daemons.hpp"

namespace fcgi::api {

/// GET /v2/tenants
http::Response list_tenants(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/tenants
http::Response create_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /v2/tenants/{tenant}
http::Response show_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// PUT /v2/tenants/{tenant}
http::Response replace_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);
/// DELETE /v2/tenants/{tenant}
http::Response delete_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/tenants/{tenant}/users (ours, as the next two): [{"name","role"}].
http::Response list_users(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/tenants/{tenant}/users: answers with the user's first API key, shown only then.
http::Response create_user(const http::Request& request, const auth::Visitor& visitor, App& app);
/// DELETE /v2/tenants/{tenant}/users/{user}
http::Response delete_user(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/provisioners: the daemons that are at work.
http::Response list_provisioners(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
/// GET /v2/provisioners/{id}
http::Response show_provisioner(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// A tenant as the wire contract shows it.
provisioner::base::Json to_json(const provisioner::model::Tenant& tenant);
/// A provisioner as the wire contract shows it; its port is 0, for ours are not called.
provisioner::base::Json to_json(const provisioner::operations::ProvisionerView& provisioner);

}  // namespace fcgi::api
