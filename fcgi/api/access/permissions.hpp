#pragma once

#include "fcgi/app.hpp"

namespace fcgi::api {

// Who may use which entry of the caller's catalogue. Ours; the wire contract has no permissions,
// and entries do not carry them. {kind} is the collection of the entry: "hardwaretypes".

/// GET /v2/permissions: [{"kind","name","everybody":false,"roles","groups","users"}] of the entries
/// that are not for everybody.
http::Response list_permissions(const http::Request&, const auth::Visitor&, App&);
/// GET /v2/permissions/{kind}/{name}: likewise, with "everybody": true where there is none.
http::Response show_permission(const http::Request&, const auth::Visitor&, App&);
/// PUT /v2/permissions/{kind}/{name}: {"roles","groups","users"}; all empty: only administrators.
http::Response replace_permission(const http::Request&, const auth::Visitor&, App&);
/// DELETE /v2/permissions/{kind}/{name}: for everybody again.
http::Response remove_permission(const http::Request&, const auth::Visitor&, App&);
/// GET /v2/profile/rights: {"role","rights":[words],"groups":[names]} of the caller.
http::Response show_rights(const http::Request&, const auth::Visitor&, App&);

}  // namespace fcgi::api
