#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /catalogue/{kind}: all entries of a kind.
http::Response list_entries(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /catalogue/{kind}/{name}: one entry with its JSON.
http::Response show_entry(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
