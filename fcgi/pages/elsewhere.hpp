#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// 404 for a page of a cluster that the visitor may not see, or that is not there: "There is no
/// such {what}". A superadmin learns whose cluster it is, and can view that tenant and come back.
http::Response no_such_cluster(const http::Request& request, const auth::Visitor& visitor, App& app,
                               provisioner::model::ClusterId cluster, const std::string& what);

}  // namespace fcgi::pages
