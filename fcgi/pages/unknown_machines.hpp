#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /unknown-machines: machines that are there although no node has them, and the accounts that
/// are looked through for them. Admins see their tenant's, superadmins all.
http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

}  // namespace fcgi::pages
