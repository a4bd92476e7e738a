#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

/// GET /v2/groups: [{"name","description","members"}] of the caller's tenant, by name. Groups are
/// ours; the wire contract has none.
http::Response list_groups(const http::Request&, const auth::Visitor&, App&);
/// GET /v2/groups/{group}
http::Response show_group(const http::Request&, const auth::Visitor&, App&);
/// PUT /v2/groups/{group}: {"description","members"}; creates it if there is none.
http::Response replace_group(const http::Request&, const auth::Visitor&, App&);
/// DELETE /v2/groups/{group}
http::Response delete_group(const http::Request&, const auth::Visitor&, App&);

}  // namespace fcgi::api
