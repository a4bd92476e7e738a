#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

// The history of the catalogue. {kind} as in /catalogue/{kind}. 404 for an unknown kind, and where
// the tenant's history has nothing of that name.

/// GET /history/{kind}: the latest changes of all entries of the kind, deletions included.
http::Response list_latest_versions(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);

/// GET /catalogue/{kind}/{name}/versions: the versions of an entry, and the clusters that have one.
http::Response list_entry_versions(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);

/// GET /catalogue/{kind}/{name}/versions/compare?from={line}&to={line}: two of them, line by line.
http::Response compare_entry_versions(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);

/// GET /catalogue/{kind}/{name}/versions/{line}: one of them, and how it differs from what is in
/// force.
http::Response show_entry_version(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

/// POST /catalogue/{kind}/{name}/versions/{line}/restore: makes it the newest version, 303 to the
/// history.
http::Response restore_entry_version(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);

}  // namespace fcgi::pages
