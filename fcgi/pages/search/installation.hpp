#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/search/search.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

// What superadmins find of the installation: at most `limit` of each, for nobody else.

/// Tenants whose name contains the text.
SearchGroup found_tenants(provisioner::store::Connection& connection,
                          const provisioner::model::Caller& caller, const std::string& text,
                          int limit);

/// Identity providers whose name or label contains the text.
SearchGroup found_identity_providers(provisioner::store::Connection& connection,
                                     const provisioner::model::Caller& caller,
                                     const std::string& text, int limit);

/// The same of these. Pure.
SearchGroup identity_providers_called(
    const std::vector<provisioner::model::IdentityProvider>& providers, const std::string& text,
    int limit);

/// Provisioners by a part of their name, each with a link to its panel.
SearchGroup found_provisioners(provisioner::store::Connection& connection,
                               const provisioner::model::Caller& caller, const std::string& text,
                               int limit);

}  // namespace fcgi::pages
