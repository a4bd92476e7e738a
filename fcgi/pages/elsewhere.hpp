#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// The address at which superadmins view that page of a tenant: "/view/demo/clusters/00000042".
std::string in_view(const std::string& tenant, const std::string& path);

/// The answer at the address of a cluster that the visitor may not see, or that is not there:
/// "There is no such {what}" (404). Superadmins are led to it in a view of its tenant.
http::Response no_such_cluster(const http::Request& request, const auth::Visitor& visitor, App& app,
                               provisioner::model::ClusterId cluster, const std::string& what);

/// Where the panel of a provisioner is. Pages, events and mails call a provisioner by its instance,
/// which stays the same after a restart.
std::string href_of_daemon(const std::string& instance);

}  // namespace fcgi::pages
