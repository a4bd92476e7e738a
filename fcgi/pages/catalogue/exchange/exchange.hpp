#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

// Export of a selection and import with a choice, for administrators.

/// GET /exchange: what can be exported, and a place to paste an import.
http::Response show_exchange(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /exchange/export: the ticked entries as a JSON file, secrets masked. Changes nothing.
http::Response export_selection(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// POST /exchange/draft: what the pasted catalogue would change. Changes nothing. What may be kept
/// (may_keep_import) is kept for a day, 303 to its page.
http::Response draft_import(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /exchange/drafts/{draft}: the same of an import that is kept for the visitor.
http::Response show_kept_import(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// GET /exchange/receipts/{receipt}: what an import of the visitor did; kept for a day.
http::Response show_receipt(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /exchange/import: imports the ticked entries, all or none, 303 to the receipt; or throws
/// the kept import away ("drop").
http::Response import_selection(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::pages
