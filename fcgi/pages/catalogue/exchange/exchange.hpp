#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

// Export of a selection and import with a choice, for administrators.

/// GET /exchange: what can be exported, and a place to paste an import.
http::Response show_exchange(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /exchange/export: the ticked entries as a JSON file, secrets masked. Changes nothing.
http::Response export_selection(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// POST /exchange/draft: what the pasted catalogue would change. Changes nothing.
http::Response draft_import(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /exchange/import: imports the ticked entries, all or none, and shows a receipt.
http::Response import_selection(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::pages
