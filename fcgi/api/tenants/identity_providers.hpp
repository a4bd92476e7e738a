#pragma once

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace fcgi::api {

/// A provider without its secret; rules name tenants.
provisioner::base::Json identity_provider_json(
    const provisioner::model::IdentityProvider& provider);

/// GET /v2/identityproviders: all by name.
http::Response list_identity_providers(const http::Request& request, const auth::Visitor& visitor,
                                       App& app);
/// GET /v2/identityproviders/{name}.
http::Response show_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);
/// PUT /v2/identityproviders/{name}: a new one, or all settings of one; `secret` may be left out to
/// keep the stored one.
http::Response put_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);
/// DELETE /v2/identityproviders/{name}.
http::Response delete_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                        App& app);
/// POST /v2/identityproviders/{name}/test: {"works", "problems"}.
http::Response test_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);

}  // namespace fcgi::api
