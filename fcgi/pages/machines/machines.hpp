#pragma once

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::pages {

/// GET /machines?tenants=all&state=failed&q=text&page=2&before=00000042: the machines of the
/// clusters that the visitor may see and that are not terminated; with `before` those of older
/// clusters than that. One read transaction. Counts a limited number of machines; the last numbered
/// page leads to the rest.
http::Response list_machines_of_clusters(const http::Request& request, const auth::Visitor& visitor,
                                         App& app);

}  // namespace fcgi::pages
