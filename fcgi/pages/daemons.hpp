#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /daemons: the provisioner processes and what they are at, for superadmins.
http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
